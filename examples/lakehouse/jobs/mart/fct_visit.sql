-- Fato de visitas: ordem da visita e horas desde a anterior. A janela olha a história toda; grava só o dia.
-- Schedule: daily 05:10 · Owner: analytics
INSERT OVERWRITE TABLE mart.fct_visit PARTITION (ds = '${ds}')
SELECT
  x.visit_id, x.listing_id, x.user_id, x.corretor_id, x.agendada_para, x.realizada, x.nota, x.n_visita,
  (unix_timestamp(x.agendada_para) - unix_timestamp(x.anterior)) / 3600.0 AS horas_desde_anterior
FROM (
  SELECT
    v.*,
    row_number() OVER w AS n_visita,
    lag(v.agendada_para) OVER w AS anterior
  FROM clean.visits v
  WHERE v.ds <= '${ds}'
  WINDOW w AS (PARTITION BY v.user_id ORDER BY v.agendada_para)
) x
WHERE x.ds = '${ds}';
