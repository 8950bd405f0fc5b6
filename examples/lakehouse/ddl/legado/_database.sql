-- owner: ninguem
CREATE DATABASE `legado`
COMMENT
  'Herança do sistema antigo (até 2020); só leitura, não crie nada aqui.'
LOCATION
  's3a://aluga-lake/legado.db'
WITH DBPROPERTIES (
  'owner'='ninguem')
