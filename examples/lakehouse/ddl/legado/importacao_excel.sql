-- owner: ninguem
CREATE EXTERNAL TABLE `legado.importacao_excel`(
  `linha` int COMMENT '+1 por linha importada', 
  `conteudo` string COMMENT '=A1&B1', 
  `saldo` decimal(18,2) COMMENT '-1 significa sem saldo', 
  `autor` string COMMENT '@maria.b ou @jose.c, quem digitou', 
  `obs` string COMMENT 'começa com tabulação')
COMMENT '=HYPERLINK("http://intranet.aluga.example/planilha","Abrir a planilha")'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/importacao_excel'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780194454')
