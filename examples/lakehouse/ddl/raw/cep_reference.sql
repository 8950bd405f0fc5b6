-- owner: data-platform
CREATE EXTERNAL TABLE `raw.cep_reference`(
  `cep` string,
  `logradouro` string,
  `bairro` string,
  `municipio` string,
  `uf` string,
  `ibge_code` string,
  `latitude` double,
  `longitude` double)
COMMENT 'Tabela pública de CEPs: endereços de ruas, não de pessoas.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/cep_reference'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780036010')
