-- owner: analytics
CREATE TABLE mart.city_cohort (
  city STRING,
  mes_cadastro STRING,
  usuarios BIGINT,
  com_contrato BIGINT)
USING parquet
COMMENT 'Coortes de cadastro por cidade (recriada toda semana).'
LOCATION 's3a://aluga-lake/mart.db/city_cohort'
