-- Fato de contratos, uma partição por status.
-- Schedule: daily 05:10 · Owner: analytics
SET hive.exec.dynamic.partition.mode=nonstrict;

INSERT OVERWRITE TABLE mart.fct_lease PARTITION (status)
SELECT
  x.contract_id, x.listing_id, x.tenant_user_id, x.owner_id, x.corretor_id, x.data_inicio, x.data_fim, x.aluguel_brl,
  x.meses,
  CAST(x.aluguel_brl * x.meses AS decimal(16,2)) AS receita_total_brl,
  x.fiador.nome AS fiador_nome,
  x.status
FROM (
  SELECT l.*, CAST(ceil(months_between(l.data_fim, l.data_inicio)) AS int) AS meses
  FROM clean.leases l
) x;
