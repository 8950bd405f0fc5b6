-- owner: analytics
CREATE EXTERNAL TABLE `mart.fct_payment`(
  `payment_uuid` string,
  `contract_id` bigint,
  `tenant_user_id` bigint,
  `valor_brl` decimal(12,2),
  `multa_brl` decimal(12,2),
  `dias_atraso` int,
  `taxa_aluga_brl` decimal(12,2) COMMENT '8 % do aluguel')
COMMENT 'Um pagamento por linha.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/fct_payment'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780133237')
