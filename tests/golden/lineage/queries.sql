-- case: WITH before INSERT
-- dialect: hive
WITH c AS (SELECT name, email FROM shop.customers) INSERT INTO mart.pairs SELECT name, email FROM c;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: WITH after INSERT
-- dialect: spark
INSERT INTO mart.pairs WITH c AS (SELECT name, email FROM shop.customers) SELECT * FROM c;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: a WITH name that is a table too
-- dialect: hive
WITH customers AS (SELECT name, email FROM shop.customers) INSERT INTO mart.pairs SELECT name, email FROM customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: columns named by WITH
-- dialect: spark
WITH c(a, b) AS (SELECT name, email FROM shop.customers) INSERT INTO mart.pairs SELECT b, a FROM c;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.v <- shop.customers.name SIMPLE IDENTITY

-- case: recursive
-- dialect: spark
WITH RECURSIVE r AS (SELECT name, region FROM shop.customers UNION ALL SELECT upper(r.name), r.region FROM r) INSERT INTO mart.pairs SELECT * FROM r;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.name EXPRESSION IDENTITY
--   mart.pairs.v <- shop.customers.region EXPRESSION IDENTITY

-- case: union by position
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM shop.customers UNION ALL SELECT country, region FROM shop.regions;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION IDENTITY
--   mart.pairs.k <- shop.customers.name EXPRESSION IDENTITY
--   mart.pairs.k <- shop.regions.country EXPRESSION IDENTITY
--   mart.pairs.v <- shop.regions.region EXPRESSION IDENTITY

-- case: union by name
-- dialect: spark
INSERT INTO mart.pairs SELECT region, name FROM shop.customers UNION ALL BY NAME SELECT country AS name, region FROM shop.regions;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.name EXPRESSION IDENTITY
--   mart.pairs.k <- shop.customers.region EXPRESSION IDENTITY
--   mart.pairs.v <- shop.regions.country EXPRESSION IDENTITY
--   mart.pairs.k <- shop.regions.region EXPRESSION IDENTITY

-- case: star of one side of a join
-- dialect: spark
INSERT INTO mart.pairs SELECT r.* FROM shop.customers c JOIN shop.regions r ON c.region = r.region;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.k <- shop.regions.region SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: star without some
-- dialect: spark
INSERT INTO mart.people SELECT * EXCEPT (tax_id) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email SIMPLE IDENTITY
--   mart.people.id <- shop.customers.id SIMPLE IDENTITY
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY
--   mart.people.region <- shop.customers.region SIMPLE IDENTITY

-- case: columns without a table name in a join
-- dialect: hive
INSERT INTO mart.pairs SELECT country, email FROM shop.customers c JOIN shop.regions r ON c.region = r.region;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: USING takes the column of the left side
-- dialect: spark
INSERT INTO mart.pairs SELECT region, name FROM shop.customers RIGHT JOIN shop.regions USING (region);
INSERT INTO mart.pairs SELECT region, coalesce(country, name) FROM shop.customers FULL JOIN shop.regions USING (region);
INSERT INTO mart.pairs SELECT region, name FROM shop.customers JOIN shop.regions USING (region);
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.k <- shop.regions.region SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN
-- 2 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.region EXPRESSION TRANSFORMATION
--   mart.pairs.v <- shop.regions.country EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.regions.region EXPRESSION TRANSFORMATION
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN
-- 3 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.region SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: semi join and anti join only choose rows
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM shop.customers c LEFT SEMI JOIN shop.orders o ON o.customer_id = c.id LEFT ANTI JOIN shop.regions r ON r.region = c.region;
-- expect
-- 1 INSERT lineage: shop.customers, shop.orders, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id JOIN
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.orders.customer_id JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: scalar subquery
-- dialect: spark
INSERT INTO mart.pairs SELECT name, (SELECT max(r.country) FROM shop.regions r WHERE r.region = c.region) FROM shop.customers c;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.regions.country EXPRESSION AGGREGATION
--   mart.pairs.* <~ shop.customers.region FILTER
--   mart.pairs.* <~ shop.regions.region FILTER

-- case: subqueries in WHERE only choose rows
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM shop.customers WHERE id IN (SELECT customer_id FROM shop.orders);
-- expect
-- 1 INSERT lineage: shop.customers, shop.orders -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id FILTER
--   mart.pairs.* <~ shop.orders.customer_id FILTER

-- case: a query that LATERAL repeats
-- dialect: trino
INSERT INTO mart.pairs SELECT c.name, x.country FROM shop.customers c CROSS JOIN LATERAL (SELECT country FROM shop.regions r WHERE r.region = c.region) x;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region FILTER
--   mart.pairs.* <~ shop.regions.region FILTER

-- case: an alias used in the same list
-- dialect: spark
INSERT INTO mart.pairs SELECT lower(name) AS n, concat(n, '!') FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.v <- shop.customers.name EXPRESSION TRANSFORMATION

-- case: columns of a query without names
-- dialect: hive
INSERT INTO mart.pairs SELECT `_c0`, region FROM (SELECT upper(name), region FROM shop.customers) q;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.v <- shop.customers.region SIMPLE IDENTITY

-- case: hints name no tables
-- dialect: spark
INSERT INTO mart.pairs SELECT /*+ BROADCAST(regions) */ name, email FROM shop.customers DISTRIBUTE BY region SORT BY name;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.name SORT

-- case: table functions and files are no tables
-- dialect: spark
INSERT INTO mart.pairs SELECT cast(r.id AS string), f.v FROM range(10) r JOIN parquet.`/in/x` f ON true;
-- expect
-- 1 INSERT lineage: nothing -> mart.pairs

-- case: pivot
-- dialect: spark
INSERT INTO mart.pairs SELECT eu, us FROM (SELECT name, region FROM shop.customers) PIVOT (max(name) FOR region IN ('eu' AS eu, 'us' AS us));
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.name EXPRESSION AGGREGATION
--   mart.pairs.v <- shop.customers.name EXPRESSION AGGREGATION

-- case: unpivot
-- dialect: spark
INSERT INTO mart.pairs SELECT what, held FROM (SELECT name, email FROM shop.customers) UNPIVOT (held FOR what IN (name, email));
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION IDENTITY
--   mart.pairs.v <- shop.customers.name EXPRESSION IDENTITY

-- case: FROM before SELECT
-- dialect: hive
INSERT INTO mart.pairs FROM shop.customers SELECT name, email WHERE region = 'eu';
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region FILTER

-- case: columns by expression
-- dialect: hive
SET hive.support.quoted.identifiers=none;
INSERT INTO mart.people SELECT `(tax_id)?+.+` FROM shop.customers;
-- expect
-- 1 SET no_lineage: nothing -> nothing
--   because: it sets hive.support.quoted.identifiers
-- 2 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email SIMPLE IDENTITY
--   mart.people.id <- shop.customers.id SIMPLE IDENTITY
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY
--   mart.people.region <- shop.customers.region SIMPLE IDENTITY

-- case: columns that no table has
-- dialect: hive
INSERT INTO mart.pairs SELECT INPUT__FILE__NAME, name FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.name SIMPLE IDENTITY

-- case: columns of Spark that are called by their expressions
-- dialect: spark
CREATE TABLE mart.made AS SELECT sum(o.amount + o.id * 2), count(*), concat('x', note), (SELECT max(region) FROM shop.regions), CASE WHEN id = 1 THEN note END, o.id IN (1, 2) FROM shop.orders o GROUP BY note, id;
-- expect
-- 1 CREATE TABLE lineage: shop.orders, shop.regions -> mart.made
--   mart.made.sum((amount + (id * 2))) <- shop.orders.amount EXPRESSION AGGREGATION
--   mart.made.(id in (1, 2)) <- shop.orders.id EXPRESSION TRANSFORMATION
--   mart.made.case when (id = 1) then note end <- shop.orders.id EXPRESSION CONDITIONAL
--   mart.made.sum((amount + (id * 2))) <- shop.orders.id EXPRESSION AGGREGATION
--   mart.made.case when (id = 1) then note end <- shop.orders.note EXPRESSION IDENTITY
--   mart.made.concat(x, note) <- shop.orders.note EXPRESSION TRANSFORMATION
--   mart.made.scalarsubquery() <- shop.regions.region EXPRESSION AGGREGATION
--   mart.made.* <~ shop.orders.id GROUP_BY
--   mart.made.case when (id = 1) then note end <~ shop.orders.id CONDITIONAL
--   mart.made.* <~ shop.orders.note GROUP_BY
