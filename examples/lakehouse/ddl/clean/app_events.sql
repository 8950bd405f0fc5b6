-- owner: app-platform
CREATE TABLE clean.app_events (
  event_id STRING,
  user_id BIGINT,
  event_name STRING,
  event_ts TIMESTAMP,
  session_id STRING,
  os STRING,
  app_version STRING,
  ip_masked STRING COMMENT 'Último octeto trocado por 0',
  props MAP<STRING, STRING>,
  ds STRING)
USING parquet
PARTITIONED BY (ds)
COMMENT 'Eventos com o aparelho aberto em colunas; IP mascarado.'
LOCATION 's3a://aluga-lake/clean.db/app_events'
TBLPROPERTIES (
  'owner' = 'app-platform')
