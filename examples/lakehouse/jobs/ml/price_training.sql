-- Base de treino do preço: um imóvel por linha.
-- Schedule: weekly, Saturday 01:00 · Owner: data-science
WITH comodidades AS (
  SELECT listing_id, CAST(count(*) AS int) AS n_amenities
  FROM clean.listing_amenities
  WHERE disponivel
  GROUP BY listing_id
)
INSERT OVERWRITE TABLE ml.price_training
SELECT
  d.listing_id,
  CAST(d.area_m2 AS double),
  d.quartos,
  d.city,
  CAST(l.aluguel_brl AS double),
  coalesce(c.n_amenities, 0),
  d.n_fotos,
  array(CAST(d.area_m2 AS double), CAST(d.quartos AS double), l.latitude, l.longitude) AS vetor
FROM mart.dim_listing d
JOIN clean.listings l ON l.listing_id = d.listing_id
LEFT JOIN comodidades c ON c.listing_id = d.listing_id
WHERE l.ds = '${ds}' AND l.aluguel_brl BETWEEN 400 AND 60000;
