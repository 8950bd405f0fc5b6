-- owner: infra
CREATE EXTERNAL TABLE `legado.indice_hbase`(
  `chave` string, 
  `url` string, 
  `peso` float)
COMMENT 'Índice de busca antigo, guardado no HBase.'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.hbase.HBaseSerDe'
STORED BY
  'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES (
  'hbase.columns.mapping'=':key,d:url,d:peso', 
  'serialization.format'='1')
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780208858')
