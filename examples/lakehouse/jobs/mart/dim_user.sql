-- Dimensão de usuários com faixa etária.
-- Schedule: daily 05:00 · Owner: analytics
WITH contratos AS (
  SELECT DISTINCT tenant_user_id FROM clean.leases WHERE status = 'ativo'
)
INSERT OVERWRITE TABLE mart.dim_user
SELECT
  u.user_id,
  u.nome,
  u.email,
  sha2(u.cpf, 256),
  u.city,
  u.state,
  CASE
    WHEN months_between('${ds}', u.data_nascimento) / 12 < 25 THEN '18-24'
    WHEN months_between('${ds}', u.data_nascimento) / 12 < 35 THEN '25-34'
    WHEN months_between('${ds}', u.data_nascimento) / 12 < 50 THEN '35-49'
    ELSE '50+'
  END,
  u.cadastrado_em,
  c.tenant_user_id IS NOT NULL
FROM clean.user_clean u
LEFT JOIN contratos c ON u.user_id = c.tenant_user_id
WHERE u.ds = '${ds}';
