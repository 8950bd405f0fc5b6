-- case: USE
-- dialect: hive
USE shop;
INSERT INTO mart.pairs SELECT name, email FROM customers;
-- expect
-- 1 USE no_lineage: nothing -> nothing
--   because: names without a database are of shop from here on
-- 2 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: variables
-- dialect: hive
SET hivevar:db=shop;
set source = ${hivevar:db}.customers;
INSERT INTO mart.pairs SELECT name, email FROM ${hiveconf:source} WHERE region = '${other}' AND id > ${low};
-- expect
-- 1 SET no_lineage: nothing -> nothing
--   because: it sets hivevar:db
-- 2 SET no_lineage: nothing -> nothing
--   because: it sets source
-- 3 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id FILTER
--   mart.pairs.* <~ shop.customers.region FILTER

-- case: a variable that is not set, in a name
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM ${env}_shop.customers;
-- expect
-- 1 INSERT unresolved: nothing -> mart.pairs
--   because: the name of a table holds ${env}, which is not set

-- case: a variable that is not set, in place of columns
-- dialect: hive
INSERT INTO mart.pairs SELECT ${columns} FROM shop.customers; INSERT INTO mart.pairs SELECT name, c.${column} FROM shop.customers c; INSERT INTO mart.pairs SELECT concat(name, ${x}), email FROM shop.customers;
-- expect
-- 1 INSERT table_only: shop.customers -> mart.pairs
--   because: no column could be traced: ${columns} is not set
--   not traced: k
--   not traced: v
-- 1 INSERT unresolved: shop.customers -> mart.pairs
--   because: 1 of 2 columns not traced: ${column} is not set
--   not traced: v
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name EXPRESSION TRANSFORMATION

-- case: temporary views, one on another, one made again
-- dialect: spark
CREATE TEMP VIEW a AS SELECT name, email FROM shop.customers;
CREATE OR REPLACE TEMPORARY VIEW b AS SELECT name, sha2(email, 256) AS email FROM a;
INSERT INTO mart.pairs SELECT * FROM b;
CREATE OR REPLACE TEMP VIEW a AS SELECT name FROM a;
INSERT INTO mart.pairs SELECT name, name FROM a;
-- expect
-- 1 CREATE TEMPORARY VIEW no_lineage: shop.customers -> nothing
--   because: a lives as long as the script: what comes of it is followed where it is read
-- 2 CREATE TEMPORARY VIEW no_lineage: shop.customers -> nothing
--   because: b lives as long as the script: what comes of it is followed where it is read
-- 3 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION TRANSFORMATION masked
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 4 CREATE TEMPORARY VIEW no_lineage: shop.customers -> nothing
--   because: a lives as long as the script: what comes of it is followed where it is read
-- 5 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.customers.name SIMPLE IDENTITY

-- case: temporary table that is filled twice
-- dialect: hive
CREATE TEMPORARY TABLE t (k string, v string);
INSERT INTO t SELECT name, email FROM shop.customers;
INSERT INTO t SELECT region, country FROM shop.regions;
INSERT INTO mart.pairs SELECT k, v FROM t;
-- expect
-- 1 CREATE TEMPORARY TABLE no_lineage: nothing -> nothing
--   because: it defines columns and moves no data
-- 2 INSERT no_lineage: shop.customers -> nothing
--   because: t lives as long as the script: what comes of it is followed where it is read
-- 3 INSERT no_lineage: shop.regions -> nothing
--   because: t lives as long as the script: what comes of it is followed where it is read
-- 4 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.k <- shop.regions.region SIMPLE IDENTITY

-- case: cached query
-- dialect: spark
CACHE LAZY TABLE hot OPTIONS ('storageLevel' 'DISK_ONLY') AS SELECT name, email FROM shop.customers;
INSERT INTO mart.pairs SELECT name, email FROM hot;
UNCACHE TABLE hot;
-- expect
-- 1 CACHE TABLE no_lineage: shop.customers -> nothing
--   because: hot lives as long as the script: what comes of it is followed where it is read
-- 2 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 3 UNCACHE no_lineage: nothing -> nothing
--   because: UNCACHE frees a cache: no data flows between tables

-- case: temporary view on files
-- dialect: spark
CREATE TEMPORARY VIEW f USING csv OPTIONS (path '/in');
INSERT INTO mart.pairs SELECT a, b FROM f;
-- expect
-- 1 CREATE TEMPORARY VIEW no_lineage: nothing -> nothing
--   because: it defines columns and moves no data
-- 2 INSERT lineage: nothing -> mart.pairs

-- case: a temporary view that cannot be traced
-- dialect: spark
CREATE TEMP VIEW a AS SELECT * FROM shop.unheard;
INSERT INTO mart.pairs SELECT k, v FROM a;
-- expect
-- 1 CREATE TEMPORARY VIEW no_lineage: shop.unheard -> nothing
--   because: a lives as long as the script: what comes of it is followed where it is read
-- 2 INSERT table_only: shop.unheard -> mart.pairs
--   because: no column could be traced: k: of a: *: the columns that the star stands for are not known; v: of a: *: the columns that the star stands for are not known
--   not traced: k
--   not traced: v

-- case: a table that the script makes
-- dialect: spark
CREATE TABLE mart.step AS SELECT name AS a, email AS b FROM shop.customers;
INSERT INTO mart.pairs SELECT * FROM mart.step;
-- expect
-- 1 CREATE TABLE lineage: shop.customers -> mart.step
--   mart.step.b <- shop.customers.email SIMPLE IDENTITY
--   mart.step.a <- shop.customers.name SIMPLE IDENTITY
-- 2 INSERT lineage: mart.step -> mart.pairs
--   mart.pairs.k <- mart.step.a SIMPLE IDENTITY
--   mart.pairs.v <- mart.step.b SIMPLE IDENTITY

-- case: a table that the script makes of what is not known
-- dialect: spark
CREATE TABLE mart.step AS SELECT * FROM shop.unheard;
INSERT INTO mart.pairs SELECT a, b FROM mart.step;
-- expect
-- 1 CREATE TABLE table_only: shop.unheard -> mart.step
--   because: no column could be traced: *: the columns that the star stands for are not known
--   not traced: *
-- 2 INSERT lineage: mart.step -> mart.pairs
--   mart.pairs.k <- mart.step.a SIMPLE IDENTITY
--   mart.pairs.v <- mart.step.b SIMPLE IDENTITY

-- case: made under another name
-- dialect: spark
CREATE TABLE mart.new AS SELECT name AS k, email AS v FROM shop.customers;
ALTER TABLE mart.pairs RENAME TO mart.old;
ALTER TABLE mart.new RENAME TO mart.pairs;
-- expect
-- 1 CREATE TABLE lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 2 ALTER TABLE no_lineage: nothing -> nothing
--   because: mart.pairs is called mart.old from here on
-- 3 ALTER TABLE no_lineage: nothing -> nothing
--   because: mart.new is called mart.pairs from here on

-- case: dropped, it is no longer temporary
-- dialect: spark
CREATE TEMP VIEW customers AS SELECT region AS name, country AS email FROM shop.regions;
DROP VIEW customers;
USE shop;
INSERT INTO mart.pairs SELECT name, email FROM customers;
-- expect
-- 1 CREATE TEMPORARY VIEW no_lineage: shop.regions -> nothing
--   because: customers lives as long as the script: what comes of it is followed where it is read
-- 2 DROP VIEW no_lineage: nothing -> nothing
--   because: DROP removes: no data flows between tables
-- 3 USE no_lineage: nothing -> nothing
--   because: names without a database are of shop from here on
-- 4 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
