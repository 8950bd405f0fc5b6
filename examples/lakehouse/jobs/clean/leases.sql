-- Contratos: um registro por contrato, do dia mais recente.
-- Schedule: daily 03:10 · Owner: contracts
SET spark.sql.shuffle.partitions=16;

INSERT OVERWRITE TABLE clean.leases
SELECT
  contract_id, contract_number, listing_id, tenant_user_id, owner_id, corretor_id,
  data_inicio, data_fim, aluguel_brl, indice_reajuste, garantia,
  CASE
    WHEN status = 'cancelado' THEN 'cancelado'
    WHEN data_fim < CAST('${ds}' AS date) THEN 'encerrado'
    ELSE 'ativo'
  END AS status,
  CAST(from_unixtime(CAST(assinado_em_epoch / 1000 AS bigint)) AS timestamp) AS assinado_em,
  fiador
FROM (
  SELECT *, row_number() OVER (PARTITION BY contract_id ORDER BY ds DESC) AS rn
  FROM raw.leases
) t
WHERE t.rn = 1;
