-- Funil diário (Spark): usuários por etapa sobre usuários da busca.
-- Schedule: daily 05:30 · Owner: analytics
CREATE OR REPLACE TEMPORARY VIEW etapas AS
SELECT event_name, os, user_id, ds
FROM clean.app_events
WHERE event_name IN ('busca', 'visita_agendada', 'proposta', 'contrato') AND ds = '${ds}';

CREATE OR REPLACE TEMPORARY VIEW base AS
SELECT os, count(DISTINCT user_id) AS usuarios_busca
FROM etapas
WHERE event_name = 'busca'
GROUP BY os;

INSERT OVERWRITE TABLE mart.agg_funnel_daily PARTITION (ds)
SELECT
  e.event_name,
  e.os,
  count(DISTINCT e.user_id) AS usuarios,
  count(*) AS eventos,
  count(DISTINCT e.user_id) / max(b.usuarios_busca) AS conversao,
  e.ds
FROM etapas e
JOIN base b ON e.os = b.os
GROUP BY e.event_name, e.os, e.ds;
