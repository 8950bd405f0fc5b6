-- owner: data-platform
CREATE DATABASE `raw`
COMMENT
  'Cópia fiel das origens: apps, CRM e fornecedores. Um dia por partição.'
LOCATION
  's3a://aluga-lake/raw.db'
WITH DBPROPERTIES (
  'owner'='data-platform')
