-- owner: ninguem
CREATE EXTERNAL TABLE `legado.parametros`(
  `chave` varchar(60), 
  `valor` string, 
  `vigencia_inicio` date, 
  `intervalo` string)
COMMENT '-- não apagar: lido pelo ETL antigo; (ainda?)'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/parametros'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780216060')
