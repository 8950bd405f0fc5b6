-- Pagamentos e estornos em uma só leitura; partição dinâmica por dia e método.
-- Schedule: hourly · Owner: payments
SET hive.exec.dynamic.partition.mode=nonstrict;
SET hive.exec.max.dynamic.partitions.pernode=500;

FROM raw.payments p
INSERT OVERWRITE TABLE clean.payments PARTITION (ds, metodo)
SELECT
  p.payment_uuid,
  p.order_number,
  p.contract_id,
  p.valor_brl,
  coalesce(p.multa_brl, 0),
  CAST(p.valor_brl + coalesce(p.multa_brl, 0) AS decimal(14,2)),
  p.card_last4,
  p.protocolo,
  CAST(from_unixtime(p.pago_em_epoch) AS timestamp),
  p.vencimento,
  greatest(datediff(to_date(from_unixtime(p.pago_em_epoch)), p.vencimento), 0),
  p.ds,
  lower(p.metodo)
WHERE NOT p.estornado
INSERT OVERWRITE TABLE clean.refunds PARTITION (ds = '${ds}')
SELECT p.payment_uuid, p.contract_id, p.valor_brl, CAST(from_unixtime(p.pago_em_epoch) AS timestamp)
WHERE p.estornado AND p.ds = '${ds}';
