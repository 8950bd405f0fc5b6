-- owner: contracts
CREATE EXTERNAL TABLE `clean.leases`(
  `contract_id` bigint,
  `contract_number` string,
  `listing_id` bigint,
  `tenant_user_id` bigint,
  `owner_id` bigint,
  `corretor_id` bigint,
  `data_inicio` date,
  `data_fim` date,
  `aluguel_brl` decimal(12,2),
  `indice_reajuste` string,
  `garantia` string,
  `status` string,
  `assinado_em` timestamp,
  `fiador` struct<nome:string,cpf:string,telefone:string>)
COMMENT 'Contratos vigentes e encerrados.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/leases'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780082823')
