-- owner: growth-data
CREATE EXTERNAL TABLE `clean.user_clean`(
  `user_id` bigint,
  `nome` string,
  `email` string COMMENT 'Lower case, trimmed',
  `email_verified` boolean,
  `cpf` string COMMENT 'Digits only',
  `rg` string,
  `telefone` string COMMENT 'Digits only, with area code (DDD)',
  `data_nascimento` date,
  `genero` string,
  `cadastrado_em` timestamp,
  `street` string,
  `number` string,
  `district` string COMMENT 'Bairro',
  `city` string,
  `state` string COMMENT 'UF',
  `cep` string,
  `ibge_code` string,
  `cpf_hash` string)
COMMENT 'One row a registered user: the latest registration with a usable CPF.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/user_clean'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780057616')
