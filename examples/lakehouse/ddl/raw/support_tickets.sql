-- owner: support
CREATE EXTERNAL TABLE `raw.support_tickets`(
  `ticket_id` bigint,
  `user_id` bigint,
  `canal` string,
  `assunto` string,
  `descricao` string,
  `protocolo` string COMMENT 'Número de protocolo de 14 dígitos',
  `aberto_em` timestamp,
  `payload_json` string COMMENT '{"prioridade": …, "produto": …}')
COMMENT 'Chamados do atendimento.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/support_tickets'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780054015')
