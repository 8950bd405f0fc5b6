-- owner: app-platform
CREATE EXTERNAL TABLE `raw.messages`(
  `message_id` string,
  `thread_id` bigint,
  `from_user_id` bigint,
  `to_user_id` bigint,
  `corpo` string COMMENT 'Texto livre: às vezes alguém manda telefone ou CPF',
  `enviado_em` timestamp)
COMMENT 'Chat entre inquilino e proprietário.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/messages'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780032409')
