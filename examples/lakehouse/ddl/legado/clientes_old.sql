-- owner: ninguem
CREATE EXTERNAL TABLE `LEGADO.CLIENTES_OLD`(
  `COD_CLIENTE` BIGINT COMMENT 'CÓDIGO', 
  `NM_CLIENTE` STRING, 
  `NR_CPF` STRING, 
  `DS_EMAIL` STRING, 
  `NR_TEL` STRING, 
  `DT_NASC` STRING, 
  `FL_ATIVO` CHAR(1), 
  `VL_LIMITE` DECIMAL(15,2))
COMMENT 'CLIENTES DO SISTEMA ANTIGO'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/clientes_old'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780187252')
