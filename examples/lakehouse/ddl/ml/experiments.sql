-- owner: data-science
CREATE EXTERNAL TABLE `ml.experiments`(
  `exp_id` string,
  `variante` string,
  `metricas` map<string,struct<media:double,ic:array<double>,n:bigint>>,
  `segmentos` array<map<string,array<struct<chave:string,peso:decimal(10,4)>>>>,
  `parametros` map<string,string>)
COMMENT 'Experimentos A/B com métricas aninhadas.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.orc.OrcSerde'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat'
LOCATION
  's3a://aluga-lake/ml.db/experiments'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780180050')
