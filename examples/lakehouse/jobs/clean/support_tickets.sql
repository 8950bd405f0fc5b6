-- Chamados: prioridade e produto saem do JSON.
-- Schedule: daily 03:50 · Owner: support
INSERT OVERWRITE TABLE clean.support_tickets PARTITION (ds = '${ds}')
SELECT
  t.ticket_id,
  t.user_id,
  CASE t.canal WHEN 'zap' THEN 'whatsapp' WHEN 'fone' THEN 'telefone' ELSE t.canal END AS canal,
  t.assunto,
  t.descricao,
  t.protocolo,
  t.aberto_em,
  j.prioridade,
  j.produto
FROM raw.support_tickets t
LATERAL VIEW json_tuple(t.payload_json, 'prioridade', 'produto') j AS prioridade, produto
WHERE t.ds = '${ds}';
