-- Corretores com o CPF inteiro e mascarado.
-- Schedule: daily 03:05 · Owner: supply-data
INSERT OVERWRITE TABLE clean.brokers
SELECT
  b.corretor_id,
  b.nome_completo,
  regexp_replace(b.cpf, '[^0-9]', '') AS cpf,
  concat(substr(regexp_replace(b.cpf, '[^0-9]', ''), 1, 3), '.***.***-', substr(regexp_replace(b.cpf, '[^0-9]', ''), -2)) AS cpf_masked,
  upper(b.creci),
  lower(b.email),
  b.celular,
  b.comissao_pct
FROM raw.brokers b;
