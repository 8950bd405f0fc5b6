-- owner: finance-data
CREATE EXTERNAL TABLE `finance.ledger`(
  `lancamento_id` string,
  `conta` string,
  `debito_brl` decimal(14,2),
  `credito_brl` decimal(14,2),
  `historico` string,
  `origem` string)
COMMENT 'Livro-razão; débito = crédito por lançamento.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/finance.db/ledger'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780154843')
