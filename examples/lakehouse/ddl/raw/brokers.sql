-- owner: supply-data
CREATE EXTERNAL TABLE `raw.brokers`(
  `corretor_id` bigint,
  `nome_completo` string,
  `cpf` string,
  `creci` string COMMENT 'Registro profissional',
  `email` string,
  `celular` string,
  `cep_residencial` string,
  `data_admissao` date,
  `comissao_pct` decimal(5,2))
COMMENT 'Corretores parceiros (foto completa, sem partição).'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/brokers'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780028808')
