-- owner: ninguem
CREATE EXTERNAL TABLE `legado.cadastro_geral`(
  `Nome do Cliente` string COMMENT 'nome como na planilha', 
  `order` int COMMENT 'ordem na planilha (palavra reservada)', 
  `group` string COMMENT 'grupo; A, B ou C -- ver legenda (aba 2)', 
  `endereço` string COMMENT 'com cedilha no nome da coluna', 
  `e-mail` string COMMENT 'hífen no nome', 
  `data` string COMMENT 'dd/mm/aa', 
  `select` boolean, 
  `valor (R$)` string COMMENT '1.234,56', 
  `nº doc` string COMMENT 'CPF ou RG, sem padrão')
COMMENT 'Planilha "Cadastro Geral" importada como estava; o dono dizia: \'não mexer\'.'
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/cadastro_geral'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'transient_lastDdlTime'='1780190853')
