-- owner: risk
CREATE EXTERNAL TABLE `raw.credit_checks`(
  `col` array<string> COMMENT 'from deserializer')
COMMENT 'Consultas de crédito; escrita pelo Spark, o esquema verdadeiro está nas propriedades.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe'
WITH SERDEPROPERTIES (
  'path'='s3a://aluga-lake/raw.db/credit_checks',
  'serialization.format'='1')
STORED AS INPUTFORMAT
  'org.apache.hadoop.mapred.SequenceFileInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.HiveSequenceFileOutputFormat'
LOCATION
  's3a://aluga-lake/raw.db/credit_checks'
TBLPROPERTIES (
  'bucketing_version'='2',
  'spark.sql.create.version'='3.5.1',
  'spark.sql.partitionProvider'='catalog',
  'spark.sql.sources.provider'='parquet',
  'spark.sql.sources.schema.numPartCols'='1',
  'spark.sql.sources.schema.numParts'='3',
  'spark.sql.sources.schema.part.0'='{\"type\":\"struct\",\"fields\":[{\"name\":\"check_id\",\"type\":\"string\",\"nullable\":true,\"metadata\":{\"comment\":\"Id da consulta no birô\"}},{\"name\":\"user_id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}},{\"name\":\"cpf\",\"type\":\"string\",\"nullable\":true,\"metadata\":{\"comment\":\"CPF consultado, só dígitos\"}},{\"name\":\"score\",\"',
  'spark.sql.sources.schema.part.1'='type\":\"integer\",\"nullable\":true,\"metadata\":{\"comment\":\"0 a 1000\"}},{\"name\":\"renda_declarada\",\"type\":\"decimal(14,2)\",\"nullable\":true,\"metadata\":{\"comment\":\"Renda mensal em reais\"}},{\"name\":\"bureau\",\"type\":{\"type\":\"struct\",\"fields\":[{\"name\":\"name\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}},{\"name\":\"cons',
  'spark.sql.sources.schema.part.2'='ulted_at\",\"type\":\"timestamp\",\"nullable\":true,\"metadata\":{}},{\"name\":\"flags\",\"type\":{\"type\":\"array\",\"elementType\":\"string\",\"containsNull\":true},\"nullable\":true,\"metadata\":{}}]},\"nullable\":true,\"metadata\":{\"comment\":\"Resposta do birô d\'origem\"}},{\"name\":\"ds\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}',
  'spark.sql.sources.schema.partCol.0'='ds',
  'transient_lastDdlTime'='1780050414')
