-- Direito ao esquecimento (LGPD, art. 18): apaga ou mascara quem pediu exclusão.
-- Schedule: on request · Owner: privacy
SET hivevar:pedido=1042;

UPDATE clean.user_history
SET nome = 'REMOVIDO', email = sha2(email, 256), telefone = NULL
WHERE user_id = ${hivevar:pedido};

DELETE FROM clean.credit_checks
WHERE user_id = ${hivevar:pedido};

INSERT OVERWRITE TABLE clean.user_contacts PARTITION (ds = '${ds}')
SELECT c.user_id, c.contact_type, c.contact_value, c.source
FROM clean.user_contacts c
WHERE c.ds = '${ds}' AND c.user_id <> ${hivevar:pedido};
