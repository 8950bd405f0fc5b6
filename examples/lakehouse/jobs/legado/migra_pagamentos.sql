-- Pagamentos de 2019 no formato novo. Rodou uma vez; fica pela linhagem.
-- Schedule: none · Owner: payments
SET hive.exec.dynamic.partition.mode=nonstrict;

INSERT INTO TABLE clean.payments PARTITION (ds, metodo)
SELECT
  p.id_pagamento,
  CAST(NULL AS string),
  p.nr_contrato,
  p.vl_pago,
  CAST(0 AS decimal(12,2)),
  CAST(p.vl_pago AS decimal(14,2)),
  CAST(NULL AS string),
  CAST(NULL AS string),
  CAST(p.dt_pagamento AS timestamp),
  to_date(p.dt_pagamento),
  0,
  substr(p.dt_pagamento, 1, 10),
  CASE p.tp_pagamento WHEN 'B' THEN 'boleto' WHEN 'C' THEN 'cartao' ELSE 'outro' END
FROM legado.pagamentos_2019 p;
