-- owner: supply-data
CREATE EXTERNAL TABLE `clean.listing_amenities`(
  `listing_id` bigint,
  `amenity` string,
  `disponivel` boolean)
COMMENT 'Uma linha por comodidade.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/listing_amenities'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780079222')
