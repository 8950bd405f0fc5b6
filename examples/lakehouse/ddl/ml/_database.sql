-- owner: data-science
CREATE DATABASE `ml`
COMMENT
  'Features, training sets and scores of the pricing and churn models.'
LOCATION
  's3a://aluga-lake/ml.db'
WITH DBPROPERTIES (
  'owner'='data-science')
