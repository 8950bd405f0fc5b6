-- Itens de cada evento (Spark): um imóvel por linha, com a campanha do JSON.
-- Schedule: hourly · Owner: app-platform
INSERT INTO clean.event_items PARTITION (ds)
SELECT
  e.event_id,
  e.user_id,
  i.item.listing_id,
  i.item.position,
  i.item.price,
  j.utm_source,
  e.ds
FROM raw.app_events e
LATERAL VIEW explode(e.items) i AS item
LATERAL VIEW json_tuple(e.payload_json, 'utm_source', 'utm_medium') j AS utm_source, utm_medium
WHERE e.ds = '${ds}' AND j.utm_medium <> 'interno; teste';
