-- owner: app-platform
CREATE EXTERNAL TABLE `clean.messages_masked`(
  `message_id` string,
  `thread_id` bigint,
  `from_user_id` bigint,
  `to_user_id` bigint,
  `corpo_mascarado` string,
  `enviado_em` timestamp)
COMMENT 'Chat com telefones, e-mails e CPFs trocados por ***.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/messages_masked'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780100828')
