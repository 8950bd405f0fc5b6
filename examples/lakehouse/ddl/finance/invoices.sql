-- owner: finance-data
CREATE EXTERNAL TABLE `finance.invoices`(
  `invoice_id` string,
  `contract_id` bigint,
  `competencia` string COMMENT 'aaaa-mm',
  `valor_brl` decimal(12,2),
  `taxa_brl` decimal(12,2),
  `vencimento` date,
  `pago` boolean,
  `pagador_nome` string,
  `pagador_cpf` string)
COMMENT 'Cobranças mensais de aluguel.'
PARTITIONED BY (
  `mes` string)
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/finance.db/invoices'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780151242')
