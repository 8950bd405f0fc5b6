-- owner: finance-data
CREATE EXTERNAL TABLE `raw.index_rates`(
  `indice` string,
  `mes_ref` string COMMENT 'aaaa-mm',
  `taxa` decimal(9,6))
COMMENT 'Índices de reajuste publicados (IGP-M, IPCA).'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/index_rates'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780046813')
