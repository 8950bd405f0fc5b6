-- owner: finance-data
CREATE EXTERNAL TABLE `finance.supplier_spend`(
  `fornecedor_id` bigint,
  `razao_social` string,
  `cnpj` string,
  `categoria` string,
  `valor_brl` decimal(14,2),
  `notas` int)
COMMENT 'Gasto por fornecedor.'
PARTITIONED BY (
  `mes` string)
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/finance.db/supplier_spend'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780169247')
