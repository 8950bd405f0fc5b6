-- Fotos do anúncio, na ordem em que aparecem.
-- Schedule: daily 03:40 · Owner: supply-data
INSERT OVERWRITE TABLE clean.listing_photos
SELECT l.listing_id, f.pos, f.foto.ordem, f.foto.url, f.foto.legenda
FROM raw.listings l
LATERAL VIEW posexplode(l.fotos) f AS pos, foto
WHERE l.ds = '${ds}';
