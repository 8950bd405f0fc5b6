-- Visitas sem duplicatas; só de imóveis que ainda existem.
-- Schedule: daily 03:20 · Owner: supply-data
INSERT OVERWRITE TABLE clean.visits PARTITION (ds = '${ds}')
SELECT DISTINCT
  v.visit_id, v.listing_id, v.user_id, v.corretor_id, v.agendada_para, v.realizada,
  CAST(v.nota AS int),
  nullif(trim(v.comentario), '')
FROM raw.visits v
LEFT SEMI JOIN raw.listings l ON v.listing_id = l.listing_id
WHERE v.ds = '${ds}';
