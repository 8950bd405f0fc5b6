-- owner: supply-data
CREATE EXTERNAL TABLE `clean.visits`(
  `visit_id` bigint,
  `listing_id` bigint,
  `user_id` bigint,
  `corretor_id` bigint,
  `agendada_para` timestamp,
  `realizada` boolean,
  `nota` int,
  `comentario` string)
COMMENT 'Visitas sem duplicatas.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/visits'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780093626')
