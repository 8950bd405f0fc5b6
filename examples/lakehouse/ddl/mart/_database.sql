-- owner: analytics
CREATE DATABASE `mart`
COMMENT
  'Dimensions, facts and aggregates for dashboards.'
LOCATION
  's3a://aluga-lake/mart.db'
WITH DBPROPERTIES (
  'owner'='analytics')
