-- owner: finance-data
CREATE EXTERNAL TABLE `clean`.`suppliers`(
  `fornecedor_id` bigint,
  `razao_social` string,
  `cnpj` string,
  `contato_nome` string,
  `contato_email` string,
  `contato_telefone` string)
COMMENT 'Fornecedores com CNPJ só com dígitos.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/suppliers'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780104429')
