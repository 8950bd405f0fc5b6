-- owner: supply-data
CREATE EXTERNAL TABLE `clean.listing_photos`(
  `listing_id` bigint,
  `posicao` int,
  `ordem` int,
  `url` string,
  `legenda` string)
COMMENT '📷 Uma linha por foto do anúncio.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/listing_photos'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780075621')
