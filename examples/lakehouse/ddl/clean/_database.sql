-- owner: data-platform
CREATE DATABASE `clean`
COMMENT
  'Typed, deduplicated and documented tables; the first layer that analysts may read.'
LOCATION
  's3a://aluga-lake/clean.db'
WITH DBPROPERTIES (
  'owner'='data-platform')
