-- Fotos e comodidades do anúncio em uma só leitura: um ramo por tabela, cada um com a sua LATERAL VIEW.
-- Schedule: daily 03:40 · Owner: supply-data
SET hive.optimize.ppd=true;

FROM raw.listings l
INSERT OVERWRITE TABLE clean.listing_photos
SELECT l.listing_id, f.pos, f.foto.ordem, f.foto.url, f.foto.legenda
LATERAL VIEW posexplode(l.fotos) f AS pos, foto
WHERE l.ds = '${ds}'
INSERT OVERWRITE TABLE clean.listing_amenities
SELECT l.listing_id, a.amenity, a.disponivel
LATERAL VIEW OUTER explode(l.amenities) a AS amenity, disponivel
WHERE l.ds = '${ds}';
