-- owner: app-platform
CREATE TABLE clean.event_items (
  event_id STRING,
  user_id BIGINT,
  listing_id BIGINT,
  position INT,
  price DECIMAL(12,2),
  utm_source STRING COMMENT 'Campanha, do payload JSON',
  ds STRING)
USING parquet
PARTITIONED BY (ds)
COMMENT 'Itens vistos em cada evento; campo "position" começa em 1, não em 0: \'cuidado\'.'
LOCATION 's3a://aluga-lake/clean.db/event_items'
