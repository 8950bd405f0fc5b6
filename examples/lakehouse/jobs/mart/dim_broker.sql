-- Dimensão de corretores; senioridade pela data de admissão.
-- Schedule: daily 05:00 · Owner: analytics
INSERT OVERWRITE TABLE mart.dim_broker
SELECT
  c.corretor_id,
  c.nome,
  c.creci,
  if(datediff('${ds}', b.data_admissao) > 730, 'sênior', 'júnior')
FROM clean.brokers c
JOIN raw.brokers b ON b.corretor_id = c.corretor_id;
