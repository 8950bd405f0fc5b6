-- owner: analytics
CREATE EXTERNAL TABLE `mart.broker_ranking`(
  `corretor_id` bigint,
  `nome` string,
  `visitas` bigint,
  `contratos` bigint,
  `nota_media` double,
  `posicao` int)
COMMENT 'Ranking mensal de corretores 🏆'
PARTITIONED BY (
  `mes` string COMMENT 'aaaa-mm')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/mart.db/broker_ranking'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780144040')
