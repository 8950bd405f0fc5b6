-- Preço previsto: média da cidade por metro quadrado (modelo de referência v0).
-- Schedule: daily 06:30 · Owner: data-science
CREATE OR REPLACE TEMPORARY VIEW media_cidade AS
SELECT city, avg(aluguel_brl / area_m2) AS brl_m2
FROM ml.price_training
WHERE area_m2 > 0
GROUP BY city;

INSERT OVERWRITE TABLE ml.price_scores PARTITION (ds = '${ds}')
SELECT
  t.listing_id,
  t.area_m2 * m.brl_m2 AS previsto_brl,
  t.aluguel_brl - t.area_m2 * m.brl_m2 AS residuo_brl,
  CASE WHEN t.aluguel_brl > 1.2 * t.area_m2 * m.brl_m2 THEN 'caro' ELSE 'normal' END AS faixa,
  'ref-v0' AS model_version
FROM ml.price_training t
JOIN media_cidade m ON m.city = t.city;
