-- Dimensão de imóveis, com comodidades em lista e número de fotos.
-- Schedule: daily 05:00 · Owner: analytics
INSERT OVERWRITE TABLE mart.dim_listing
SELECT
  l.listing_id, l.owner_id, o.nome AS owner_nome, l.tipo_imovel, l.area_m2, l.quartos, l.city, l.state, l.ibge_code,
  a.amenities,
  CAST(coalesce(f.n_fotos, 0) AS int) AS n_fotos
FROM clean.listings l
JOIN clean.owners o ON l.owner_id = o.owner_id
LEFT JOIN (
  SELECT listing_id, collect_list(amenity) AS amenities
  FROM clean.listing_amenities
  WHERE disponivel
  GROUP BY listing_id
) a ON a.listing_id = l.listing_id
LEFT JOIN (
  SELECT listing_id, count(*) AS n_fotos FROM clean.listing_photos GROUP BY listing_id
) f ON f.listing_id = l.listing_id
WHERE l.ds = '${ds}';
