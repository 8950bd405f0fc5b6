-- owner: analytics
CREATE EXTERNAL TABLE `mart.dim_listing`(
  `listing_id` bigint,
  `owner_id` bigint,
  `owner_nome` string,
  `tipo_imovel` string,
  `area_m2` decimal(8,2),
  `quartos` int,
  `city` string,
  `state` string,
  `ibge_code` string,
  `amenities` array<string>,
  `n_fotos` int)
COMMENT 'Dimensão de imóveis.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/dim_listing'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780122434')
