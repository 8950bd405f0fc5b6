-- owner: data-science
CREATE EXTERNAL TABLE `ml.price_training`(
  `listing_id` bigint,
  `area_m2` double,
  `quartos` int,
  `city` string,
  `aluguel_brl` double,
  `n_amenities` int,
  `n_fotos` int,
  `vetor` array<double>)
COMMENT 'Base de treino do modelo de preço.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/ml.db/price_training'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780176449')
