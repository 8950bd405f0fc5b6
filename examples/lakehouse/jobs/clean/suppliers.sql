-- Fornecedores com CNPJ só com dígitos.
-- Schedule: weekly, Monday 02:00 · Owner: finance-data
INSERT OVERWRITE TABLE clean.suppliers
SELECT
  s.fornecedor_id,
  upper(trim(s.razao_social)) AS razao_social,
  lpad(regexp_replace(s.cnpj, '[^0-9]', ''), 14, '0') AS cnpj,
  s.contato_nome,
  lower(s.contato_email) AS contato_email,
  regexp_replace(s.contato_telefone, '[^0-9+]', '') AS contato_telefone
FROM raw.suppliers s
WHERE s.razao_social IS NOT NULL;
