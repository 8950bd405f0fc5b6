-- owner: finance-data
CREATE VIEW `finance.v_open_invoices` AS SELECT `i`.`invoice_id` AS `invoice_id`, `i`.`contract_id` AS `contract_id`, `i`.`pagador_nome` AS `pagador_nome`, `i`.`valor_brl` AS `valor_brl`, `i`.`vencimento` AS `vencimento`, datediff(current_date(), `i`.`vencimento`) AS `dias_em_aberto` FROM `finance`.`invoices` `i` WHERE NOT `i`.`pago`
