-- Chat: troca e-mails, CPFs e telefones por *** antes de qualquer análise.
-- Schedule: hourly · Owner: app-platform
-- Atenção: a expressão do telefone vem por último; senão ela come os CPFs sem pontos.
ADD JAR s3a://aluga-lake/jars/texto-udfs-1.4.2.jar;

INSERT OVERWRITE TABLE clean.messages_masked PARTITION (ds = '${ds}')
SELECT
  m.message_id,
  m.thread_id,
  m.from_user_id,
  m.to_user_id,
  regexp_replace(
    regexp_replace(
      regexp_replace(m.corpo, '[A-Za-z0-9._-]+@[A-Za-z0-9.-]+', '***@***'),
      '[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2}', '***.***.***-**'),
    '[(]?[0-9]{2}[)]? ?9?[0-9]{4}-?[0-9]{4}', '(**) *****-****') AS corpo_mascarado,
  m.enviado_em
FROM raw.messages m
WHERE m.ds = '${ds}' AND m.corpo <> 'oi; tudo bem?';
