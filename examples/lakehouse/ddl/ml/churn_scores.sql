-- owner: data-science
CREATE TABLE ml.churn_scores (
  user_id BIGINT,
  cpf_token STRING COMMENT 'CPF tokenizado pelo cofre; não reversível aqui',
  city STRING,
  score DOUBLE,
  model_version STRING,
  ds STRING)
USING parquet
PARTITIONED BY (ds)
COMMENT 'Risco de saída; escrita por um job Python, sem SQL.'
LOCATION 's3a://aluga-lake/ml.db/churn_scores'
