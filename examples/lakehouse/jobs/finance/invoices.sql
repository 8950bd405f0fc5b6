-- Cobranças do mês: uma por contrato ativo, paga quando há pagamento no mês.
-- Schedule: monthly, day 1 · Owner: finance-data
INSERT OVERWRITE TABLE finance.invoices PARTITION (mes = '${mes}')
SELECT
  concat('INV-', l.contract_number, '-', '${mes}') AS invoice_id,
  l.contract_id,
  '${mes}' AS competencia,
  l.aluguel_brl,
  CAST(l.aluguel_brl * 0.08 AS decimal(12,2)) AS taxa_brl,
  to_date(concat('${mes}', '-05')) AS vencimento,
  p.contract_id IS NOT NULL AS pago,
  u.nome AS pagador_nome,
  u.cpf AS pagador_cpf
FROM clean.leases l
JOIN clean.user_clean u ON u.user_id = l.tenant_user_id
LEFT JOIN (
  SELECT DISTINCT contract_id FROM clean.payments WHERE substr(ds, 1, 7) = '${mes}'
) p ON p.contract_id = l.contract_id
WHERE l.status = 'ativo';
