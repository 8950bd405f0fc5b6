-- owner: app-platform
CREATE EXTERNAL TABLE `raw.app_events`(
  `event_id` string,
  `user_id` bigint,
  `event_name` string,
  `ts_ms` bigint COMMENT 'Milissegundos desde 1970',
  `session_id` string,
  `device` struct<os:string,app_version:string,ip:string,device_id:string>,
  `props` map<string,string>,
  `items` array<struct<listing_id:bigint,position:int,price:decimal(12,2)>>,
  `payload_json` string)
COMMENT 'Eventos do aplicativo e do site.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd',
  `hora` int COMMENT 'Hora do evento, 0 a 23')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/app_events'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780021606')
