-- Livro-razão: duas pernas por pagamento, duas por estorno.
-- Schedule: daily 06:00 · Owner: finance-data
INSERT INTO finance.ledger PARTITION (ds = '${ds}') (lancamento_id, conta, debito_brl, credito_brl, historico, origem)
SELECT p.payment_uuid, '1.1.01 caixa', p.total_brl, 0, concat('Recebimento; contrato ', p.contract_id), 'payments'
FROM clean.payments p
WHERE p.ds = '${ds}'
UNION ALL
SELECT p.payment_uuid, '2.1.07 repasses', 0, p.total_brl, concat('Recebimento; contrato ', p.contract_id), 'payments'
FROM clean.payments p
WHERE p.ds = '${ds}'
UNION ALL
SELECT r.payment_uuid, '1.1.01 caixa', 0, r.valor_brl, 'Estorno (devolução)', 'refunds'
FROM clean.refunds r
WHERE r.ds = '${ds}'
UNION ALL
SELECT r.payment_uuid, '2.1.07 repasses', r.valor_brl, 0, 'Estorno (devolução)', 'refunds'
FROM clean.refunds r
WHERE r.ds = '${ds}';
