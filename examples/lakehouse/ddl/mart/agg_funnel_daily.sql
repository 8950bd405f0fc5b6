-- owner: analytics
CREATE TABLE mart.agg_funnel_daily (
  event_name STRING,
  os STRING,
  usuarios BIGINT,
  eventos BIGINT,
  conversao DOUBLE COMMENT 'Usuários desta etapa / usuários da busca',
  ds STRING)
USING parquet
PARTITIONED BY (ds)
COMMENT 'Funil do app: busca, visita, proposta, contrato.'
LOCATION 's3a://aluga-lake/mart.db/agg_funnel_daily'
