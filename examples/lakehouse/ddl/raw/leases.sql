-- owner: contracts
CREATE EXTERNAL TABLE `raw.leases`(
  `contract_id` bigint,
  `contract_number` string COMMENT 'Número impresso, CT-00000000',
  `listing_id` bigint,
  `tenant_user_id` bigint COMMENT 'Inquilino',
  `owner_id` bigint,
  `corretor_id` bigint,
  `data_inicio` date,
  `data_fim` date,
  `aluguel_brl` decimal(12,2),
  `indice_reajuste` string COMMENT 'IGP-M ou IPCA',
  `garantia` string COMMENT 'fiador, seguro-fiança, caução',
  `status` string,
  `assinado_em_epoch` bigint COMMENT 'Milissegundos desde 1970',
  `fiador` struct<nome:string,cpf:string,telefone:string> COMMENT 'Fiador, se houver')
COMMENT 'Contratos de locação assinados na plataforma.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/leases'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780014404')
