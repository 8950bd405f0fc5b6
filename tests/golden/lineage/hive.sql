-- case: a program that gets all columns, with formats of rows
-- dialect: hive
INSERT OVERWRITE TABLE mart.pairs
SELECT TRANSFORM(*) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\002' NULL DEFINED AS ''
  USING 'clean.py' AS k STRING, v STRUCT<a:INT, b:INT>
  ROW FORMAT SERDE 'x.Serde' WITH SERDEPROPERTIES ('p'='1') RECORDREADER 'x.Reader'
FROM shop.regions;
-- expect
-- 1 INSERT lineage: shop.regions -> mart.pairs
--   mart.pairs.k <- shop.regions.country SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.regions.country SCRIPT TRANSFORMATION
--   mart.pairs.k <- shop.regions.region SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.regions.region SCRIPT TRANSFORMATION

-- case: a cast to the type that a column has is none
-- dialect: hive
INSERT INTO mart.people SELECT CAST(id AS BIGINT), CAST(name AS STRING), CAST(CAST(email AS STRING) AS STRING), CAST(id AS STRING) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email EXPRESSION TRANSFORMATION
--   mart.people.id <- shop.customers.id SIMPLE IDENTITY
--   mart.people.region <- shop.customers.id EXPRESSION TRANSFORMATION
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY

-- case: a column named by its cast, by an element, by a literal
-- dialect: hive
CREATE TABLE mart.made AS SELECT CAST(id AS INT), CAST(CAST(id AS INT) AS STRING), tags['a'], DATE '2024-01-01', ship.city FROM shop.orders;
-- expect
-- 1 CREATE TABLE lineage: shop.orders -> mart.made
--   mart.made._c1 <- shop.orders.id EXPRESSION TRANSFORMATION
--   mart.made.id <- shop.orders.id EXPRESSION TRANSFORMATION
--   mart.made.city <- shop.orders.ship EXPRESSION TRANSFORMATION
--   mart.made._c2 <- shop.orders.tags EXPRESSION TRANSFORMATION

-- case: the same in Spark
-- dialect: spark
CREATE TABLE mart.made AS SELECT CAST(id AS INT), tags['a'], ship.city FROM shop.orders;
-- expect
-- 1 CREATE TABLE lineage: shop.orders -> mart.made
--   mart.made.id <- shop.orders.id EXPRESSION TRANSFORMATION
--   mart.made.city <- shop.orders.ship EXPRESSION TRANSFORMATION
--   mart.made.tags[a] <- shop.orders.tags EXPRESSION TRANSFORMATION

-- case: columns named by window functions
-- dialect: hive
CREATE TABLE mart.made AS SELECT id, round(sum(amount) OVER (PARTITION BY ds), 2), rank() OVER (ORDER BY id) FROM shop.orders;
-- expect
-- 1 CREATE TABLE lineage: shop.orders -> mart.made
--   mart.made._c1 <- shop.orders.amount SCRIPT AGGREGATION
--   mart.made._c1 <- shop.orders.ds SCRIPT WINDOW
--   mart.made.id <- shop.orders.id SIMPLE IDENTITY
--   mart.made.rank_window_1 <- shop.orders.id SCRIPT WINDOW
--   mart.made._c1 <~ shop.orders.ds WINDOW
--   mart.made.rank_window_1 <~ shop.orders.id WINDOW

-- case: which set of keys a row is of tells nothing of the keys
-- dialect: hive
INSERT INTO mart.wide SELECT customer_id, GROUPING(customer_id), sum(amount), GROUPING__ID FROM shop.orders GROUP BY customer_id, ds GROUPING SETS ((customer_id), (ds));
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount EXPRESSION AGGREGATION
--   mart.wide.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.wide.* <~ shop.orders.customer_id GROUP_BY
--   mart.wide.* <~ shop.orders.ds GROUP_BY

-- case: counting set operations are scripts
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM shop.customers INTERSECT ALL SELECT region, country FROM shop.regions;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email SCRIPT IDENTITY
--   mart.pairs.k <- shop.customers.name SCRIPT IDENTITY
--   mart.pairs.v <- shop.regions.country SCRIPT IDENTITY
--   mart.pairs.k <- shop.regions.region SCRIPT IDENTITY

-- case: all columns as one argument
-- dialect: hive
INSERT INTO mart.pairs SELECT hash(*), concat(c.name, to_json(struct(r.*))) FROM shop.regions r JOIN shop.customers c ON c.region = r.region;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.email EXPRESSION TRANSFORMATION masked
--   mart.pairs.k <- shop.customers.id EXPRESSION TRANSFORMATION masked
--   mart.pairs.k <- shop.customers.name EXPRESSION TRANSFORMATION masked
--   mart.pairs.v <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.region EXPRESSION TRANSFORMATION masked
--   mart.pairs.k <- shop.customers.tax_id EXPRESSION TRANSFORMATION masked
--   mart.pairs.k <- shop.regions.country EXPRESSION TRANSFORMATION masked
--   mart.pairs.v <- shop.regions.country EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.regions.region EXPRESSION TRANSFORMATION masked
--   mart.pairs.v <- shop.regions.region EXPRESSION TRANSFORMATION
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: functions over tables keep the columns
-- dialect: hive
FROM noop(ON noopwithmap(ON shop.customers PARTITION BY region ORDER BY name) PARTITION BY region) c
JOIN noop(ON (SELECT region, country FROM shop.regions) r DISTRIBUTE BY region) ON c.region = country
INSERT INTO mart.pairs SELECT name, country;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.country JOIN

-- case: a definition with constraints, and names with signs
-- dialect: hive
CREATE TABLE mart.strict (`a``b` STRING NOT NULL ENABLE, c DECIMAL(10,2) CONSTRAINT positive CHECK (c > 0) ENFORCED,
  d STRING DEFAULT 'x', CONSTRAINT pk PRIMARY KEY (c) DISABLE NOVALIDATE, UNIQUE (d) DISABLE);
INSERT INTO mart.strict SELECT name, id, region FROM shop.customers;
INSERT INTO mart.pairs SELECT `a``b`, c FROM mart.strict;
-- expect
-- 1 CREATE TABLE no_lineage: nothing -> nothing
--   because: it defines columns and moves no data
-- 3 INSERT lineage: shop.customers -> mart.strict
--   mart.strict.c <- shop.customers.id EXPRESSION IDENTITY
--   mart.strict.a`b <- shop.customers.name SIMPLE IDENTITY
--   mart.strict.d <- shop.customers.region SIMPLE IDENTITY
-- 4 INSERT lineage: mart.strict -> mart.pairs
--   mart.pairs.k <- mart.strict.a`b SIMPLE IDENTITY
--   mart.pairs.v <- mart.strict.c EXPRESSION IDENTITY

-- case: a text that stands for NULL is no query
-- dialect: hive
CREATE TABLE mart.made ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' NULL DEFINED AS 'none' STORED AS TEXTFILE AS SELECT name FROM shop.customers;
-- expect
-- 1 CREATE TABLE lineage: shop.customers -> mart.made
--   mart.made.name <- shop.customers.name SIMPLE IDENTITY

-- case: an interval without the word
-- dialect: hive
INSERT INTO mart.pairs SELECT note, ds - '1 2:3:4' DAY TO SECOND FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.ds EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.orders.note SIMPLE IDENTITY

-- case: a folder whose rows have keys of maps
-- dialect: hive
INSERT OVERWRITE LOCAL DIRECTORY '/out' ROW FORMAT DELIMITED FIELDS TERMINATED BY ':' MAP KEYS TERMINATED BY '=' SELECT note FROM shop.orders;
-- expect
-- 1 INSERT no_lineage: shop.orders -> nothing
--   because: it writes files to a folder, to no table

-- case: no comment begins in the arguments of a shell command
-- dialect: hive
dfs -rm -r /tmp/out/*;
ADD JAR s3://lib/*;
INSERT INTO mart.pairs SELECT name, email FROM shop.customers;
dfs -ls /tmp/*
-- expect
-- 1 DFS no_lineage: nothing -> nothing
--   because: DFS works on files: no data flows between tables
-- 2 ADD no_lineage: nothing -> nothing
--   because: ADD adds a resource: no data flows between tables
-- 3 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 4 DFS no_lineage: nothing -> nothing
--   because: DFS works on files: no data flows between tables

-- case: reserved words as columns, a query in two names
-- dialect: hive
WITH a AS (SELECT name AS `date`, email AS `order` FROM shop.customers), b AS (SELECT name AS `date`, email AS `order` FROM shop.customers)
INSERT INTO mart.pairs SELECT a.`date`, b.`order` FROM a JOIN b ON a.`order` = b.`order`;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.email JOIN

-- case: live tables
-- dialect: spark
CREATE OR REFRESH LIVE TABLE made COMMENT 'x' AS SELECT name FROM shop.customers;
CREATE MATERIALIZED VIEW mart.fresh (CONSTRAINT has_name EXPECT (name IS NOT NULL) ON VIOLATION DROP ROW) AS SELECT name FROM shop.customers;
CREATE OR REFRESH STREAMING TABLE made2 AS SELECT name FROM STREAM(shop.customers);
-- expect
-- 1 CREATE TABLE lineage: shop.customers -> default.made
--   default.made.name <- shop.customers.name SIMPLE IDENTITY
-- 2 CREATE MATERIALIZED VIEW lineage: shop.customers -> mart.fresh
--   mart.fresh.name <- shop.customers.name SIMPLE IDENTITY
-- 3 CREATE TABLE lineage: shop.customers -> default.made2
--   default.made2.name <- shop.customers.name SIMPLE IDENTITY
