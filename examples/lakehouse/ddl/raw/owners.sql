-- owner: growth-data
CREATE EXTERNAL TABLE `raw.owners`(
  `owner_id` bigint,
  `nome_ou_razao` string COMMENT 'Nome da pessoa ou razão social',
  `tipo_pessoa` string COMMENT 'PF ou PJ',
  `documento` string COMMENT 'CPF ou CNPJ, conforme tipo_pessoa',
  `cnpj` string COMMENT 'Preenchido só para PJ',
  `email` string,
  `telefone` string,
  `pix_chave` string COMMENT 'Chave Pix: CPF, e-mail, telefone ou aleatória',
  `conta` struct<banco:string,agencia:string,numero:string> COMMENT 'Conta para repasse',
  `cadastrado_em` timestamp)
COMMENT 'Proprietários de imóveis, pessoas e empresas.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/owners'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780007202')
