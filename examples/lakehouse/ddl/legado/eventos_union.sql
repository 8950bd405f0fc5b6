-- owner: ninguem
CREATE EXTERNAL TABLE `legado.eventos_union`(
  `id` bigint, 
  `valor` uniontype<int,string,struct<codigo:int,texto:varchar(40)>>, 
  `extras` map<string,uniontype<double,boolean>>, 
  `bruto` binary, 
  `desde` date)
COMMENT 'Eventos em que o valor muda de tipo.'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.orc.OrcSerde' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.orc.OrcInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/eventos_union'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780198055')
