-- Repasses: soma dos pagamentos do mês por proprietário, menos a taxa.
-- Schedule: monthly, day 10 · Owner: finance-data
INSERT OVERWRITE TABLE finance.owner_payouts PARTITION (mes = '${mes}')
SELECT
  o.owner_id,
  o.nome,
  coalesce(o.cpf, o.cnpj),
  o.pix_chave,
  o.banco,
  CAST(sum(f.valor_brl - f.taxa_aluga_brl) AS decimal(14,2)),
  '${mes}'
FROM mart.fct_payment f
JOIN mart.fct_lease l ON f.contract_id = l.contract_id
JOIN clean.owners o ON l.owner_id = o.owner_id
WHERE substr(f.ds, 1, 7) = '${mes}'
GROUP BY o.owner_id, o.nome, coalesce(o.cpf, o.cnpj), o.pix_chave, o.banco;
