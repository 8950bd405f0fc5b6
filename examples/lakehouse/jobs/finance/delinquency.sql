-- Inadimplência: cobranças vencidas e não pagas, por inquilino.
-- Schedule: daily 07:00 · Owner: collections
INSERT OVERWRITE TABLE finance.delinquency PARTITION (ds = '${ds}')
SELECT
  u.user_id,
  u.nome,
  u.cpf,
  u.telefone,
  CAST(count(DISTINCT v.contract_id) AS int) AS contratos,
  CAST(sum(v.valor_brl) AS decimal(14,2)) AS valor_devido_brl,
  max(v.dias_em_aberto) AS dias_atraso_max
FROM finance.v_open_invoices v
JOIN clean.leases l ON l.contract_id = v.contract_id
JOIN clean.user_clean u ON u.user_id = l.tenant_user_id
WHERE u.ds = '${ds}'
  AND v.dias_em_aberto > 0
  AND l.contract_id IN (SELECT contract_id FROM mart.fct_lease WHERE status = 'ativo')
GROUP BY u.user_id, u.nome, u.cpf, u.telefone;
