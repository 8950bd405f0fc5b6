-- owner: analytics
CREATE EXTERNAL TABLE `mart.fct_visit`(
  `visit_id` bigint,
  `listing_id` bigint,
  `user_id` bigint,
  `corretor_id` bigint,
  `agendada_para` timestamp,
  `realizada` boolean,
  `nota` int,
  `n_visita` int COMMENT 'Primeira, segunda … visita do usuário',
  `horas_desde_anterior` double)
COMMENT 'Uma visita por linha.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/fct_visit'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780136838')
