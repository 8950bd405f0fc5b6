-- owner: finance-data
CREATE DATABASE `finance`
COMMENT
  'Contas a receber, repasses, comissões e livro-razão.'
LOCATION
  's3a://aluga-lake/finance.db'
WITH DBPROPERTIES (
  'owner'='finance-data')
