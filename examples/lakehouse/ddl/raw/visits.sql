-- owner: supply-data
CREATE EXTERNAL TABLE `raw.visits`(
  `visit_id` bigint,
  `listing_id` bigint,
  `user_id` bigint,
  `corretor_id` bigint,
  `agendada_para` timestamp,
  `realizada` boolean,
  `nota` tinyint COMMENT '1 a 5',
  `comentario` string COMMENT 'Texto livre do visitante')
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/visits'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780025207')
