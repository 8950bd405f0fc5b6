-- Fato de visitas: ordem da visita e horas desde a anterior.
-- Schedule: daily 05:10 · Owner: analytics
INSERT OVERWRITE TABLE mart.fct_visit PARTITION (ds = '${ds}')
SELECT
  v.visit_id, v.listing_id, v.user_id, v.corretor_id, v.agendada_para, v.realizada, v.nota,
  row_number() OVER w AS n_visita,
  (unix_timestamp(v.agendada_para) - unix_timestamp(lag(v.agendada_para) OVER w)) / 3600.0 AS horas_desde_anterior
FROM clean.visits v
WHERE v.ds <= '${ds}'
WINDOW w AS (PARTITION BY v.user_id ORDER BY v.agendada_para);
