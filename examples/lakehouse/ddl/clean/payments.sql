-- owner: payments
CREATE EXTERNAL TABLE `clean.payments`(
  `payment_uuid` string,
  `order_number` string,
  `contract_id` bigint,
  `valor_brl` decimal(12,2),
  `multa_brl` decimal(12,2),
  `total_brl` decimal(14,2),
  `card_last4` string,
  `protocolo` string,
  `pago_em` timestamp,
  `vencimento` date,
  `dias_atraso` int)
COMMENT 'Pagamentos aceitos, sem estornos.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd',
  `metodo` string COMMENT 'pix, boleto, cartao')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/payments'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780086424')
