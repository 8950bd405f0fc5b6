-- owner: contracts
CREATE EXTERNAL TABLE `legado.contratos_avro`
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.serde2.avro.AvroSerDe' 
STORED AS INPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat' 
OUTPUTFORMAT 
  'org.apache.hadoop.hive.ql.io.avro.AvroContainerOutputFormat'
LOCATION
  's3a://aluga-lake/legado.db/contratos_avro'
TBLPROPERTIES (
  'bucketing_version'='2', 
  'avro.schema.url'='s3a://aluga-lake/schemas/contratos.avsc', 
  'transient_lastDdlTime'='1780212459')
