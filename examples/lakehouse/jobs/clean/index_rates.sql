-- Índices com o acumulado de 12 meses (janela).
-- Schedule: monthly, day 2 · Owner: finance-data
INSERT OVERWRITE TABLE clean.index_rates
SELECT
  r.indice,
  to_date(concat(r.mes_ref, '-01')) AS mes_ref,
  r.taxa,
  exp(sum(ln(1 + CAST(r.taxa AS double))) OVER (
    PARTITION BY r.indice ORDER BY r.mes_ref ROWS BETWEEN 11 PRECEDING AND CURRENT ROW
  )) - 1 AS taxa_acumulada_12m
FROM raw.index_rates r;
