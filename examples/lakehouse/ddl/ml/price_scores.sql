-- owner: data-science
CREATE TABLE ml.price_scores (
  listing_id BIGINT,
  previsto_brl DOUBLE,
  residuo_brl DOUBLE,
  faixa STRING,
  model_version STRING,
  ds STRING)
USING parquet
PARTITIONED BY (ds)
COMMENT 'Preço previsto e resíduo.'
LOCATION 's3a://aluga-lake/ml.db/price_scores'
