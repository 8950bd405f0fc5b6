-- Partições que chegaram por fora: registra e atualiza estatísticas. Não move dado nenhum.
-- Schedule: daily 02:30 · Owner: data-platform
MSCK REPAIR TABLE raw.users;
MSCK REPAIR TABLE raw.app_events;
ALTER TABLE raw.payments ADD IF NOT EXISTS PARTITION (ds = '${ds}') LOCATION 's3a://aluga-lake/raw.db/payments/ds=${ds}';
ALTER TABLE legado.log_acesso DROP IF EXISTS PARTITION (ano = 2016);
ANALYZE TABLE raw.payments PARTITION (ds = '${ds}') COMPUTE STATISTICS;
REFRESH TABLE clean.app_events;
