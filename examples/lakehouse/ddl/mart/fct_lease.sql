-- owner: analytics
CREATE EXTERNAL TABLE `mart.fct_lease`(
  `contract_id` bigint,
  `listing_id` bigint,
  `tenant_user_id` bigint,
  `owner_id` bigint,
  `corretor_id` bigint,
  `data_inicio` date,
  `data_fim` date,
  `aluguel_brl` decimal(12,2),
  `meses` int,
  `receita_total_brl` decimal(16,2),
  `fiador_nome` string)
COMMENT 'Um contrato por linha.'
PARTITIONED BY (
  `status` string COMMENT 'ativo, encerrado, cancelado')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/fct_lease'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780129636')
