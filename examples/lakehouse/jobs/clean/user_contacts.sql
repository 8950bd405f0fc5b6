-- Todos os contatos de uma pessoa, de três origens, em uma só tabela.
-- Schedule: daily 03:30 · Owner: growth-data
SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

INSERT OVERWRITE TABLE clean.user_contacts PARTITION (ds)
SELECT user_id, contact_type, contact_value, source, ds
FROM (
  SELECT u.user_id, 'email' AS contact_type, u.email AS contact_value, 'app' AS source, u.ds
  FROM clean.user_clean u
  WHERE u.email_verified
  UNION ALL
  SELECT u.user_id, 'phone', u.telefone, 'app', u.ds
  FROM clean.user_clean u
  WHERE length(u.telefone) >= 10
  UNION ALL
  -- o fiador também é um contato do inquilino
  SELECT l.tenant_user_id, 'phone', regexp_replace(l.fiador.telefone, '[^0-9]', ''), 'fiador', l.ds
  FROM raw.leases l
  WHERE l.fiador IS NOT NULL
) todos
WHERE ds = '${ds}';
