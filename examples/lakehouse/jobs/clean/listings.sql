-- Anúncios: endereço em colunas, município conferido pela tabela de CEPs.
-- Schedule: daily 03:10 · Owner: supply-data
SET hivevar:origem=raw;
SET hivevar:ds=2026-11-01;
USE clean;

INSERT OVERWRITE TABLE listings PARTITION (ds = '${hivevar:ds}')
SELECT
  l.listing_id,
  l.owner_id,
  trim(l.titulo),
  lower(l.tipo_imovel),
  l.area_m2,
  l.quartos,
  l.aluguel_brl,
  l.condominio_brl,
  l.iptu_brl,
  CAST(l.aluguel_brl + coalesce(l.condominio_brl, 0) + coalesce(l.iptu_brl, 0) AS decimal(14,2)) AS total_brl,
  coalesce(c.logradouro, l.address.street),
  coalesce(c.bairro, l.address.district),
  coalesce(c.municipio, l.address.city),
  coalesce(c.uf, l.address.state),
  regexp_replace(l.address.cep, '-', ''),
  coalesce(c.ibge_code, l.municipio_ibge),
  l.latitude,
  l.longitude,
  l.publicado_em
FROM ${hivevar:origem}.listings l
LEFT OUTER JOIN ${hivevar:origem}.cep_reference c
  ON regexp_replace(l.address.cep, '-', '') = c.cep
WHERE l.ds = '${hivevar:ds}'
  AND l.titulo NOT LIKE '%teste; apagar%';
