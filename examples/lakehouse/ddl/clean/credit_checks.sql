-- owner: risk
CREATE EXTERNAL TABLE `clean.credit_checks`(
  `col` array<string> COMMENT 'from deserializer')
COMMENT 'Delta: consultas de crédito sem o CPF.'
ROW FORMAT SERDE
  'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe'
WITH SERDEPROPERTIES (
  'path'='s3a://aluga-lake/clean.db/credit_checks',
  'serialization.format'='1')
STORED AS INPUTFORMAT
  'org.apache.hadoop.mapred.SequenceFileInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.HiveSequenceFileOutputFormat'
LOCATION
  's3a://aluga-lake/clean.db/credit_checks'
TBLPROPERTIES (
  'bucketing_version'='2',
  'spark.sql.create.version'='3.5.1',
  'spark.sql.partitionProvider'='catalog',
  'spark.sql.sources.provider'='delta',
  'spark.sql.sources.schema.numPartCols'='1',
  'spark.sql.sources.schema.numParts'='2',
  'spark.sql.sources.schema.part.0'='{\"type\":\"struct\",\"fields\":[{\"name\":\"check_id\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}},{\"name\":\"user_id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}},{\"name\":\"cpf_hash\",\"type\":\"string\",\"nullable\":true,\"metadata\":{\"comment\":\"SHA-256 do CPF; continua dado pessoal\"}},{\"name\":\"score\",\"ty',
  'spark.sql.sources.schema.part.1'='pe\":\"integer\",\"nullable\":true,\"metadata\":{}},{\"name\":\"renda_faixa\",\"type\":\"string\",\"nullable\":true,\"metadata\":{\"comment\":\"até 3k, 3k-6k, 6k-12k, acima\"}},{\"name\":\"consultado_em\",\"type\":\"timestamp\",\"nullable\":true,\"metadata\":{}},{\"name\":\"ds\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}',
  'spark.sql.sources.schema.partCol.0'='ds',
  'delta.lastCommitTimestamp'='1793493600000',
  'delta.lastUpdateVersion'='42',
  'delta.minReaderVersion'='1',
  'delta.minWriterVersion'='2',
  'transient_lastDdlTime'='1780108030')
