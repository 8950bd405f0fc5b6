-- owner: growth-data
CREATE EXTERNAL TABLE `clean.user_contacts`(
  `user_id` bigint,
  `contact_type` string COMMENT 'email, phone',
  `contact_value` string,
  `source` string)
COMMENT 'Every way to reach a person, from all sources.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/user_contacts'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780061217')
