-- owner: growth-data
CREATE EXTERNAL TABLE `clean.owners`(
  `owner_id` bigint,
  `nome` string,
  `tipo_pessoa` string,
  `cpf` string,
  `cnpj` string,
  `email` string,
  `telefone` string,
  `pix_chave` string,
  `banco` string,
  `agencia` string,
  `conta_numero` string,
  `cadastrado_em` timestamp)
COMMENT 'Proprietários com CPF e CNPJ separados.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/owners'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780068419')
