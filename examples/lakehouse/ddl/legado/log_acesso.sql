-- owner: infra
CREATE EXTERNAL TABLE `legado.log_acesso`(
  `ip` string, 
  `hora` string, 
  `url` string, 
  `status` smallint, 
  `agente` string)
COMMENT 'Log do site antigo, texto separado por \\001.'
PARTITIONED BY ( 
  `ano` int, 
  `mes` int)
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe' 
WITH SERDEPROPERTIES (
  'field.delim'='\u0001', 
  'serialization.format'='\u0001')
STORED AS INPUTFORMAT 
  'org.apache.hadoop.mapred.TextInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/log_acesso'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'skip.header.line.count'='1', 
  'transient_lastDdlTime'='1780201656')
