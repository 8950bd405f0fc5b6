-- Fato de pagamentos com a taxa da Aluga (8 %).
-- Schedule: daily 05:10 · Owner: analytics
INSERT OVERWRITE TABLE mart.fct_payment PARTITION (ds = '${ds}')
SELECT
  p.payment_uuid, p.contract_id, l.tenant_user_id, p.valor_brl, p.multa_brl, p.dias_atraso,
  CAST(p.valor_brl * 0.08 AS decimal(12,2)) AS taxa_aluga_brl
FROM clean.payments p
JOIN clean.leases l ON p.contract_id = l.contract_id
WHERE p.ds = '${ds}'
  AND NOT EXISTS (SELECT 1 FROM clean.refunds r WHERE r.payment_uuid = p.payment_uuid);
