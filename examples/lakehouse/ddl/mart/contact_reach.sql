-- owner: growth-data
CREATE TABLE `mart.contact_reach`(
  `contact_type` string,
  `dominio` string,
  `pessoas` bigint)
COMMENT 'Quantas pessoas cada canal alcança.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/contact_reach'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780147641')
