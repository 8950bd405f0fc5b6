-- Gasto por fornecedor, a partir dos lançamentos cujo histórico traz o CNPJ.
-- Schedule: monthly, day 5 · Owner: finance-data
INSERT OVERWRITE TABLE finance.supplier_spend PARTITION (mes = '${mes}')
SELECT
  s.fornecedor_id,
  s.razao_social,
  s.cnpj,
  CASE WHEN s.razao_social LIKE '%LIMPEZA%' THEN 'limpeza' WHEN s.razao_social LIKE '%PINTURA%' THEN 'pintura' ELSE 'outros' END AS categoria,
  sum(g.debito_brl) AS valor_brl,
  CAST(count(*) AS int) AS notas
FROM clean.suppliers s
JOIN finance.ledger g ON g.historico LIKE concat('%', s.cnpj, '%')
WHERE substr(g.ds, 1, 7) = '${mes}'
GROUP BY s.fornecedor_id, s.razao_social, s.cnpj;
