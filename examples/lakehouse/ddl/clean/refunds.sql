-- owner: payments
CREATE EXTERNAL TABLE `clean.refunds`(
  `payment_uuid` string,
  `contract_id` bigint,
  `valor_brl` decimal(12,2),
  `estornado_em` timestamp)
COMMENT 'Estornos.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/refunds'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780090025')
