-- owner: support
CREATE EXTERNAL TABLE `clean.support_tickets`(
  `ticket_id` bigint,
  `user_id` bigint,
  `canal` string,
  `assunto` string,
  `descricao` string,
  `protocolo` string,
  `aberto_em` timestamp,
  `prioridade` string,
  `produto` string)
COMMENT 'Chamados com prioridade e produto extraídos do JSON.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/support_tickets'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780111631')
