-- owner: analytics
CREATE EXTERNAL TABLE `mart.dim_broker`(
  `corretor_id` bigint,
  `nome` string,
  `creci` string,
  `senioridade` string)
COMMENT 'Dimensão de corretores.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/dim_broker'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780126035')
