-- owner: data-science
CREATE TABLE ml.listing_embeddings (
  listing_id BIGINT,
  embedding ARRAY<FLOAT>,
  origem STRUCT<titulo: STRING, fotos: ARRAY<STRING>>,
  model_version STRING)
USING parquet
COMMENT 'Vetores de título e fotos.'
LOCATION 's3a://aluga-lake/ml.db/listing_embeddings'
