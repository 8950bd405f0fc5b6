-- Comissões do mês; a partição é registrada antes.
-- Schedule: monthly, day 3 · Owner: finance-data
ALTER TABLE finance.commissions ADD IF NOT EXISTS PARTITION (mes = '${mes}') LOCATION 's3a://aluga-lake/finance.db/commissions/mes=${mes}';

INSERT OVERWRITE TABLE finance.commissions PARTITION (mes = '${mes}')
SELECT
  b.corretor_id,
  l.contract_id,
  l.aluguel_brl AS base_brl,
  CAST(l.aluguel_brl * b.comissao_pct / 100 AS decimal(14,4)) AS comissao_brl
FROM mart.fct_lease l
JOIN clean.brokers b ON b.corretor_id = l.corretor_id
WHERE date_format(l.data_inicio, 'yyyy-MM') = '${mes}'
  AND l.status <> 'cancelado';
