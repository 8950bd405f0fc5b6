-- owner: payments
CREATE EXTERNAL TABLE `raw.payments`(
  `payment_uuid` string,
  `order_number` string COMMENT 'Pedido no gateway: 11 dígitos, não é CPF',
  `order_ref` string COMMENT 'Referência de 16 dígitos, não é cartão',
  `contract_id` bigint,
  `valor_brl` decimal(12,2),
  `multa_brl` decimal(12,2),
  `metodo` string COMMENT 'pix, boleto, cartao',
  `card_last4` string,
  `protocolo` string COMMENT 'Protocolo do banco, parece CNPJ e não é',
  `pago_em_epoch` bigint,
  `vencimento` date,
  `estornado` boolean)
COMMENT 'Pagamentos recebidos pelo gateway.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/payments'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780018005')
