-- owner: growth-data
CREATE TABLE `clean.user_history`(
  `user_id` bigint,
  `nome` string,
  `email` string,
  `telefone` string,
  `city` string,
  `valid_from` date,
  `valid_to` date,
  `is_current` boolean)
COMMENT 'Histórico de alterações cadastrais (SCD 2).'
CLUSTERED BY (
  user_id)
SORTED BY (
  user_id ASC,
  valid_from DESC)
INTO 8 BUCKETS
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.orc.OrcSerde'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/user_history'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transactional'='true',
  'transactional_properties'='default',
  'transient_lastDdlTime'='1780064818')
