-- owner: supply-data
CREATE EXTERNAL TABLE `raw.products`(
  `produto_id` int,
  `nome_produto` string,
  `sku` string,
  `ean13` string,
  `year_code` int COMMENT 'Ano da tabela de preços',
  `preco_brl` decimal(10,2),
  `ativo` boolean)
COMMENT 'Serviços e kits vendidos junto com o contrato.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/products'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780039611')
