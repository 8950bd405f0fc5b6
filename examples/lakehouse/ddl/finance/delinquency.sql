-- owner: collections
CREATE EXTERNAL TABLE `finance.delinquency`(
  `tenant_user_id` bigint,
  `nome` string,
  `cpf` string,
  `telefone` string,
  `contratos` int,
  `valor_devido_brl` decimal(14,2),
  `dias_atraso_max` int)
COMMENT 'Inadimplência: quem deve, quanto e há quantos dias.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/finance.db/delinquency'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780162045')
