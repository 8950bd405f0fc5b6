-- Histórico cadastral (SCD 2): fecha a versão antiga e abre a nova.
-- Schedule: daily 04:00 · Owner: growth-data
SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

MERGE INTO clean.user_history AS h
USING (
  SELECT user_id, nome, email, telefone, city, ds
  FROM clean.user_clean
  WHERE ds = '${ds}'
) AS n
ON h.user_id = n.user_id AND h.is_current
WHEN MATCHED AND (h.email <> n.email OR h.telefone <> n.telefone OR h.city <> n.city) THEN
  UPDATE SET valid_to = CAST(n.ds AS date), is_current = false
WHEN NOT MATCHED THEN
  INSERT VALUES (n.user_id, n.nome, n.email, n.telefone, n.city, CAST(n.ds AS date), NULL, true);

-- as pessoas que mudaram ganham a versão nova em um segundo passo
INSERT INTO clean.user_history (user_id, nome, email, telefone, city, valid_from, valid_to, is_current)
SELECT u.user_id, u.nome, u.email, u.telefone, u.city, CAST(u.ds AS date), CAST(NULL AS date), true
FROM clean.user_clean u
LEFT JOIN clean.user_history h ON h.user_id = u.user_id AND h.is_current
WHERE u.ds = '${ds}' AND h.user_id IS NULL;
