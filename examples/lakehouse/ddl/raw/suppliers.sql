-- owner: finance-data
CREATE EXTERNAL TABLE `raw.suppliers`(
  `fornecedor_id` bigint,
  `razao_social` string,
  `cnpj` string,
  `inscricao_estadual` string,
  `contato_nome` string,
  `contato_email` string,
  `contato_telefone` string)
COMMENT 'Fornecedores (limpeza, pintura, vistoria).'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/suppliers'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780043212')
