-- Eventos do app (Spark): abre o aparelho e mascara o IP.
-- Schedule: hourly · Owner: app-platform
CACHE TABLE eventos_validos AS
SELECT event_id, user_id, event_name, ts_ms, session_id, device, props, ds
FROM raw.app_events
WHERE ds = '${ds}' AND event_name IS NOT NULL;

INSERT OVERWRITE TABLE clean.app_events PARTITION (ds = '${ds}')
SELECT
  event_id,
  user_id,
  lower(event_name) AS event_name,
  timestamp_millis(ts_ms) AS event_ts,
  session_id,
  device.os AS os,
  device.app_version AS app_version,
  regexp_replace(device.ip, '[0-9]+$', '0') AS ip_masked,
  props
FROM eventos_validos;

UNCACHE TABLE eventos_validos;
