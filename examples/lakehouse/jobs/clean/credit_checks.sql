-- Consultas de crédito (Delta): troca o CPF pelo hash e a renda pela faixa.
-- Schedule: daily 04:10 · Owner: risk
CREATE OR REPLACE TEMPORARY VIEW novas_consultas AS
SELECT
  check_id,
  user_id,
  sha2(cpf, 256) AS cpf_hash,
  score,
  CASE
    WHEN renda_declarada < 3000 THEN 'até 3k'
    WHEN renda_declarada < 6000 THEN '3k-6k'
    WHEN renda_declarada < 12000 THEN '6k-12k'
    ELSE 'acima'
  END AS renda_faixa,
  bureau.consulted_at AS consultado_em,
  ds
FROM raw.credit_checks
WHERE ds = '${ds}';

MERGE INTO clean.credit_checks AS d
USING novas_consultas AS n
ON d.check_id = n.check_id
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;
