-- Comodidades: uma linha por chave do mapa.
-- Schedule: daily 03:40 · Owner: supply-data
INSERT OVERWRITE TABLE clean.listing_amenities
SELECT l.listing_id, a.amenity, a.disponivel
FROM raw.listings l
LATERAL VIEW OUTER explode(l.amenities) a AS amenity, disponivel
WHERE l.ds = '${ds}';
