-- Coortes por cidade: a tabela é apagada e criada de novo (Spark, CTAS).
-- Schedule: weekly, Sunday 06:00 · Owner: analytics
DROP TABLE IF EXISTS mart.city_cohort;

CREATE TABLE mart.city_cohort
USING parquet
LOCATION 's3a://aluga-lake/mart.db/city_cohort'
AS
SELECT
  u.city,
  date_format(u.cadastrado_em, 'yyyy-MM') AS mes_cadastro,
  count(*) AS usuarios,
  sum(CASE WHEN u.tem_contrato THEN 1 ELSE 0 END) AS com_contrato
FROM mart.dim_user u
GROUP BY u.city, date_format(u.cadastrado_em, 'yyyy-MM');
