-- owner: growth-data
CREATE EXTERNAL TABLE `raw.users`(
  `user_id` bigint COMMENT 'Id interno do usuário',
  `nome` string COMMENT 'Nome completo como digitado',
  `email` string COMMENT 'E-mail de acesso, não normalizado',
  `email_verified` int COMMENT '1 quando o link de confirmação foi aberto',
  `cpf` string COMMENT 'CPF como digitado: com ou sem pontos, às vezes inválido',
  `rg` string,
  `telefone` string COMMENT 'Celular ou fixo, formato livre',
  `data_nascimento` string COMMENT 'dd/mm/aaaa ou aaaa-mm-dd',
  `genero` string,
  `created_at_epoch` bigint COMMENT 'Segundos desde 1970 (UTC)',
  `ip_cadastro` string COMMENT 'IP do aparelho no cadastro',
  `ip_version` int COMMENT '4 ou 6',
  `address` struct<street:string,number:string,complement:string,district:string,city:string,state:string,cep:string,ibge_code:string,geo:struct<lat:double,lon:double>> COMMENT 'Endereço residencial',
  `attrs` map<string,string> COMMENT 'Atributos livres do app 🏠',
  `interesses` array<string>,
  `cpf_hash` string COMMENT 'SHA-256 do CPF só com dígitos',
  `cadastro_uuid` string)
COMMENT 'Cadastros do app, um registro por usuário e dia.'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/users'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780003601')
