-- owner: finance-data
CREATE EXTERNAL TABLE `clean.index_rates`(
  `indice` string,
  `mes_ref` date,
  `taxa` decimal(9,6),
  `taxa_acumulada_12m` double)
COMMENT 'Índices com acumulado de 12 meses.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/index_rates'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780115232')
