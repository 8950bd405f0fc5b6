-- owner: finance-data
CREATE EXTERNAL TABLE `finance.owner_payouts`(
  `owner_id` bigint,
  `favorecido` string,
  `documento` string COMMENT 'CPF ou CNPJ do favorecido',
  `pix_chave` string,
  `banco` string,
  `valor_brl` decimal(14,2),
  `competencia` string)
COMMENT 'Repasses aos proprietários.'
PARTITIONED BY (
  `mes` string)
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/finance.db/owner_payouts'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780158444')
