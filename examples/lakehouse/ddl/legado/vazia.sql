-- owner: ninguem
CREATE TABLE `legado.vazia`(
)
COMMENT 'Tabela criada por engano em 2018, sem nenhuma coluna.'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/vazia'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780183651')
