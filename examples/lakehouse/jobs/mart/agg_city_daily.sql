-- Oferta e preço por cidade.
-- Schedule: daily 05:30 · Owner: analytics
INSERT OVERWRITE TABLE mart.agg_city_daily PARTITION (ds = '${ds}')
SELECT
  l.city,
  l.state,
  max(l.ibge_code) AS ibge_code,
  count(DISTINCT l.listing_id) AS anuncios,
  avg(CAST(l.aluguel_brl AS double)) AS aluguel_medio,
  percentile_approx(CAST(l.aluguel_brl AS double), 0.5) AS aluguel_p50,
  count(v.visit_id) AS visitas
FROM clean.listings l
LEFT JOIN clean.visits v ON v.listing_id = l.listing_id AND v.ds = l.ds
WHERE l.ds = '${ds}'
GROUP BY l.city, l.state
HAVING count(DISTINCT l.listing_id) > 0;
