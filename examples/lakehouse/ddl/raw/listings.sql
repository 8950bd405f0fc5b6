-- owner: supply-data
CREATE EXTERNAL TABLE `raw.listings`(
  `listing_id` bigint,
  `owner_id` bigint,
  `titulo` string COMMENT 'Título do anúncio',
  `descricao` string COMMENT 'Texto livre; pode ter ; e -- e ) no meio',
  `tipo_imovel` string COMMENT 'apartamento, casa, studio, kitnet',
  `area_m2` decimal(8,2),
  `quartos` int,
  `aluguel_brl` decimal(12,2) COMMENT 'Valor pedido, sem condomínio',
  `condominio_brl` decimal(12,2),
  `iptu_brl` decimal(12,2) COMMENT 'IPTU mensal',
  `address` struct<street:string,number:string,district:string,city:string,state:string,cep:string>,
  `latitude` double,
  `longitude` double,
  `municipio_ibge` string COMMENT 'Código IBGE do município, 7 dígitos',
  `fotos` array<struct<url:string,ordem:int,legenda:string>>,
  `amenities` map<string,boolean> COMMENT 'piscina, academia, pet …',
  `payload_json` string COMMENT 'Documento original do CMS',
  `publicado_em` timestamp)
COMMENT 'Anúncios publicados no site; a descrição pode conter ponto e vírgula; traços -- e parênteses (assim).'
PARTITIONED BY (
  `ds` string COMMENT 'Ingestion day, yyyy-MM-dd')
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/listings'
TBLPROPERTIES (
  'bucketing_version'='2',
  'transient_lastDdlTime'='1780010803')
