-- owner: supply-data
CREATE EXTERNAL TABLE `clean.listings`(
  `listing_id` bigint,
  `owner_id` bigint,
  `titulo` string,
  `tipo_imovel` string,
  `area_m2` decimal(8,2),
  `quartos` int,
  `aluguel_brl` decimal(12,2),
  `condominio_brl` decimal(12,2),
  `iptu_brl` decimal(12,2),
  `total_brl` decimal(14,2) COMMENT 'aluguel + condomínio + IPTU',
  `street` string,
  `district` string,
  `city` string,
  `state` string,
  `cep` string,
  `ibge_code` string,
  `latitude` double,
  `longitude` double,
  `publicado_em` timestamp)
COMMENT 'Anúncios com endereço aberto em colunas.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/listings'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780072020')
