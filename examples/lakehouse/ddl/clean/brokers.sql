-- owner: supply-data
CREATE EXTERNAL TABLE `clean.brokers`(
  `corretor_id` bigint,
  `nome` string,
  `cpf` string,
  `cpf_masked` string COMMENT 'Só os três primeiros e os dois últimos dígitos',
  `creci` string,
  `email` string,
  `celular` string,
  `comissao_pct` decimal(5,2))
COMMENT 'Corretores; o CPF aberto só para a folha de comissões.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/brokers'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780097227')
