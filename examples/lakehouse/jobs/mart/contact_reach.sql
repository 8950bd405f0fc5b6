-- Alcance por canal: e-mails por domínio, telefones por DDD.
-- Schedule: daily 06:00 · Owner: growth-data
FROM (
  SELECT contact_type, contact_value, user_id
  FROM clean.user_contacts
  WHERE ds = '${ds}'
) c
INSERT OVERWRITE TABLE mart.contact_reach
SELECT
  c.contact_type,
  CASE
    WHEN c.contact_type = 'email' THEN regexp_extract(c.contact_value, '@(.+)$', 1)
    ELSE substr(c.contact_value, 1, 2)
  END,
  count(DISTINCT c.user_id)
GROUP BY
  c.contact_type,
  CASE
    WHEN c.contact_type = 'email' THEN regexp_extract(c.contact_value, '@(.+)$', 1)
    ELSE substr(c.contact_value, 1, 2)
  END;
