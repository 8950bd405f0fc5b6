-- owner: analytics
CREATE EXTERNAL TABLE `mart.dim_user`(
  `user_id` bigint,
  `nome` string,
  `email` string,
  `cpf_hash` string,
  `city` string,
  `state` string,
  `faixa_etaria` string COMMENT '18-24, 25-34, 35-49, 50+',
  `cadastrado_em` timestamp,
  `tem_contrato` boolean)
COMMENT 'Dimensão de usuários.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/dim_user'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780118833')
