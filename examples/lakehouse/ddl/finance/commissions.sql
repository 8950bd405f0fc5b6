-- owner: finance-data
CREATE EXTERNAL TABLE `finance.commissions`(
  `corretor_id` bigint,
  `contract_id` bigint,
  `base_brl` decimal(12,2),
  `comissao_brl` decimal(14,4))
COMMENT 'Comissões por contrato.'
PARTITIONED BY (
  `mes` string)
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/finance.db/commissions'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780165646')
