-- owner: analytics
CREATE TABLE `mart.agg_city_daily`(
  `city` string,
  `state` string,
  `ibge_code` string,
  `anuncios` bigint,
  `aluguel_medio` double,
  `aluguel_p50` double,
  `visitas` bigint)
COMMENT 'Oferta e preço por cidade e dia.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.orc.OrcSerde'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/agg_city_daily'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780140439')
