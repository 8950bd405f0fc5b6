-- Ranking mensal dos corretores.
-- Schedule: monthly, day 1 · Owner: analytics
WITH visitas AS (
  SELECT corretor_id, count(*) AS visitas, avg(nota) AS nota_media
  FROM mart.fct_visit
  WHERE realizada AND substr(ds, 1, 7) = '${mes}'
  GROUP BY corretor_id
),
contratos AS (
  SELECT corretor_id, count(*) AS contratos
  FROM mart.fct_lease
  WHERE date_format(data_inicio, 'yyyy-MM') = '${mes}'
  GROUP BY corretor_id
)
INSERT OVERWRITE TABLE mart.broker_ranking PARTITION (mes = '${mes}')
SELECT
  b.corretor_id,
  b.nome,
  coalesce(v.visitas, 0),
  coalesce(c.contratos, 0),
  v.nota_media,
  CAST(rank() OVER (ORDER BY c.contratos DESC, v.visitas DESC) AS int)
FROM mart.dim_broker b
LEFT JOIN visitas v ON v.corretor_id = b.corretor_id
LEFT JOIN contratos c ON c.corretor_id = b.corretor_id;
