-- owner: payments
CREATE EXTERNAL TABLE `legado.pagamentos_2019`(
  `id_pagamento` string, 
  `nr_contrato` bigint, 
  `vl_pago` decimal(12,2), 
  `dt_pagamento` string, 
  `tp_pagamento` string)
COMMENT 'Pagamentos de 2019, migrados uma vez.'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/pagamentos_2019'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780205257')
