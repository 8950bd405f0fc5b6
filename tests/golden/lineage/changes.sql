-- case: MERGE with columns
-- dialect: spark
MERGE INTO mart.people p USING shop.customers c ON p.id = c.id WHEN MATCHED AND c.region = 'x' THEN DELETE WHEN MATCHED THEN UPDATE SET p.name = c.name, region = coalesce(c.region, p.region) WHEN NOT MATCHED THEN INSERT (id, email) VALUES (c.id, md5(c.email));
-- expect
-- 1 MERGE lineage: mart.people, shop.customers -> mart.people
--   mart.people.region <- mart.people.region EXPRESSION TRANSFORMATION
--   mart.people.email <- shop.customers.email EXPRESSION TRANSFORMATION masked
--   mart.people.id <- shop.customers.id SIMPLE IDENTITY
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY
--   mart.people.region <- shop.customers.region EXPRESSION TRANSFORMATION
--   mart.people.* <~ mart.people.id JOIN
--   mart.people.* <~ shop.customers.id JOIN
--   mart.people.* <~ shop.customers.region FILTER

-- case: MERGE of all columns
-- dialect: spark
MERGE INTO mart.people p USING (SELECT id, name, lower(email) AS email, region FROM shop.customers) c ON p.id = c.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;
-- expect
-- 1 MERGE lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email EXPRESSION TRANSFORMATION
--   mart.people.id <- shop.customers.id SIMPLE IDENTITY
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY
--   mart.people.region <- shop.customers.region SIMPLE IDENTITY
--   mart.people.* <~ mart.people.id JOIN
--   mart.people.* <~ shop.customers.id JOIN

-- case: MERGE with schema evolution
-- dialect: spark
MERGE WITH SCHEMA EVOLUTION INTO mart.pairs p USING shop.regions r ON p.k = r.region WHEN MATCHED THEN UPDATE SET v = r.country;
-- expect
-- 1 MERGE lineage: shop.regions -> mart.pairs
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.* <~ mart.pairs.k JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: MERGE by position
-- dialect: hive
MERGE INTO mart.pairs p USING shop.regions r ON p.k = r.region WHEN NOT MATCHED THEN INSERT VALUES (r.region, r.country);
-- expect
-- 1 MERGE lineage: shop.regions -> mart.pairs
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.k <- shop.regions.region SIMPLE IDENTITY
--   mart.pairs.* <~ mart.pairs.k JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: MERGE of all columns into what is not known
-- dialect: spark
MERGE INTO mart.unheard u USING shop.customers c ON u.id = c.id WHEN NOT MATCHED THEN INSERT *;
-- expect
-- 1 MERGE table_only: shop.customers -> mart.unheard
--   because: `*` fills a table whose columns are not known

-- case: UPDATE of a column by itself
-- dialect: spark
UPDATE mart.people SET email = sha2(email, 256), region = NULL WHERE id = 7;
-- expect
-- 1 UPDATE lineage: mart.people -> mart.people
--   mart.people.email <- mart.people.email EXPRESSION TRANSFORMATION masked
--   mart.people.* <~ mart.people.id FILTER

-- case: UPDATE from another table
-- dialect: spark
UPDATE mart.people SET name = c.name FROM shop.customers c WHERE c.id = people.id;
-- expect
-- 1 UPDATE lineage: shop.customers -> mart.people
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY
--   mart.people.* <~ mart.people.id FILTER
--   mart.people.* <~ shop.customers.id FILTER

-- case: DELETE moves nothing
-- dialect: spark
DELETE FROM mart.people WHERE id = 7;
-- expect
-- 1 DELETE no_lineage: nothing -> nothing
--   because: DELETE removes rows: no data flows between tables

-- case: CTAS, a column without a name: Hive
-- dialect: hive
CREATE TABLE mart.made STORED AS ORC AS SELECT region, count(id) FROM shop.customers GROUP BY region;
-- expect
-- 1 CREATE TABLE lineage: shop.customers -> mart.made
--   mart.made._c1 <- shop.customers.id EXPRESSION AGGREGATION masked
--   mart.made.region <- shop.customers.region SIMPLE IDENTITY
--   mart.made.* <~ shop.customers.region GROUP_BY

-- case: CTAS, a column without a name: Spark
-- dialect: spark
CREATE OR REPLACE TABLE mart.made USING delta PARTITIONED BY (region) LOCATION '/x' AS SELECT region, count(id) FROM shop.customers GROUP BY region;
-- expect
-- 1 CREATE TABLE lineage: shop.customers -> mart.made
--   mart.made.count(id) <- shop.customers.id EXPRESSION AGGREGATION masked
--   mart.made.region <- shop.customers.region SIMPLE IDENTITY
--   mart.made.* <~ shop.customers.region GROUP_BY

-- case: CTAS, a column without a name: Trino
-- dialect: trino
CREATE TABLE mart.made WITH (format = 'ORC') AS SELECT region, count(id) FROM shop.customers GROUP BY region WITH NO DATA;
-- expect
-- 1 CREATE TABLE lineage: shop.customers -> mart.made
--   mart.made._col1 <- shop.customers.id EXPRESSION AGGREGATION masked
--   mart.made.region <- shop.customers.region SIMPLE IDENTITY
--   mart.made.* <~ shop.customers.region GROUP_BY

-- case: view with a column list and comments
-- dialect: hive
CREATE VIEW IF NOT EXISTS mart.v (a COMMENT 'x; y', b) COMMENT 'as select' PARTITIONED ON (b) AS SELECT name, email FROM shop.customers;
-- expect
-- 1 CREATE VIEW lineage: shop.customers -> mart.v
--   mart.v.b <- shop.customers.email SIMPLE IDENTITY
--   mart.v.a <- shop.customers.name SIMPLE IDENTITY

-- case: materialized view
-- dialect: hive
CREATE MATERIALIZED VIEW mart.mv DISABLE REWRITE AS SELECT name FROM shop.customers;
-- expect
-- 1 CREATE MATERIALIZED VIEW lineage: shop.customers -> mart.mv
--   mart.mv.name <- shop.customers.name SIMPLE IDENTITY

-- case: ALTER VIEW AS
-- dialect: hive
ALTER VIEW mart.v AS SELECT name, region FROM shop.customers;
-- expect
-- 1 ALTER VIEW lineage: shop.customers -> mart.v
--   mart.v.name <- shop.customers.name SIMPLE IDENTITY
--   mart.v.region <- shop.customers.region SIMPLE IDENTITY

-- case: EXCHANGE PARTITION moves all columns
-- dialect: hive
ALTER TABLE mart.sales EXCHANGE PARTITION (ds = '1') WITH TABLE mart.sales_new;
-- expect
-- 1 ALTER TABLE lineage: mart.sales_new -> mart.sales
--   mart.sales.amount <- mart.sales_new.amount SIMPLE IDENTITY
--   mart.sales.customer_id <- mart.sales_new.customer_id SIMPLE IDENTITY
--   mart.sales.ds <- mart.sales_new.ds SIMPLE IDENTITY
--   mart.sales.id <- mart.sales_new.id SIMPLE IDENTITY

-- case: LOAD, IMPORT and EXPORT: files at the other end
-- dialect: hive
LOAD DATA INPATH '/in' INTO TABLE mart.pairs; IMPORT TABLE mart.pairs FROM '/in'; EXPORT TABLE mart.pairs TO '/out';
-- expect
-- 1 LOAD DATA no_lineage: nothing -> mart.pairs
--   because: it reads files, no table
-- 1 IMPORT TABLE no_lineage: nothing -> mart.pairs
--   because: it reads files, no table
-- 1 EXPORT TABLE no_lineage: mart.pairs -> nothing
--   because: EXPORT writes files, no table

-- case: SELECT INTO makes a table
-- dialect: spark
SELECT name AS n, email INTO mart.made FROM shop.customers WHERE id > 1;
INSERT INTO mart.pairs SELECT * FROM mart.made;
-- expect
-- 1 SELECT lineage: shop.customers -> mart.made
--   mart.made.email <- shop.customers.email SIMPLE IDENTITY
--   mart.made.n <- shop.customers.name SIMPLE IDENTITY
--   mart.made.* <~ shop.customers.id FILTER
-- 2 INSERT lineage: mart.made -> mart.pairs
--   mart.pairs.v <- mart.made.email SIMPLE IDENTITY
--   mart.pairs.k <- mart.made.n SIMPLE IDENTITY
