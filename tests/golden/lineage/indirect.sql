-- case: each clause by its subtype
-- dialect: spark
INSERT INTO mart.wide
SELECT o.customer_id, c.name, sum(o.amount), count(o.id)
FROM shop.orders o JOIN shop.customers c ON o.customer_id = c.id
WHERE o.ds > '2024' AND o.note IS NOT NULL
GROUP BY o.customer_id, c.name HAVING max(o.ship.zip) > '1'
ORDER BY sum(o.amount);
-- expect
-- 1 INSERT lineage: shop.customers, shop.orders -> mart.wide
--   mart.wide.name <- shop.customers.name SIMPLE IDENTITY
--   mart.wide.total <- shop.orders.amount EXPRESSION AGGREGATION
--   mart.wide.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.wide.orders <- shop.orders.id EXPRESSION AGGREGATION masked
--   mart.wide.* <~ shop.customers.id JOIN
--   mart.wide.* <~ shop.customers.name GROUP_BY
--   mart.wide.* <~ shop.orders.amount SORT
--   mart.wide.* <~ shop.orders.customer_id GROUP_BY
--   mart.wide.* <~ shop.orders.customer_id JOIN
--   mart.wide.* <~ shop.orders.ds FILTER
--   mart.wide.* <~ shop.orders.note FILTER
--   mart.wide.* <~ shop.orders.ship FILTER

-- case: USING and a natural join
-- dialect: spark
INSERT INTO mart.pairs SELECT name, country FROM shop.customers JOIN shop.regions USING (region);
INSERT INTO mart.pairs SELECT name, country FROM shop.customers NATURAL JOIN shop.regions;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN
-- 2 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.regions.country SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: semi and anti joins
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM shop.customers c LEFT SEMI JOIN shop.orders o ON c.id = o.customer_id AND o.amount > 1;
INSERT INTO mart.pairs SELECT name, email FROM shop.customers c LEFT ANTI JOIN shop.orders o ON c.id = o.customer_id;
-- expect
-- 1 INSERT lineage: shop.customers, shop.orders -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id JOIN
--   mart.pairs.* <~ shop.orders.amount JOIN
--   mart.pairs.* <~ shop.orders.customer_id JOIN
-- 2 INSERT lineage: shop.customers, shop.orders -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id JOIN
--   mart.pairs.* <~ shop.orders.customer_id JOIN

-- case: queries in conditions
-- dialect: spark
INSERT INTO mart.pairs SELECT name, email FROM shop.customers c
WHERE region IN (SELECT region FROM shop.regions WHERE country = 'BR')
  AND EXISTS (SELECT * FROM shop.orders WHERE customer_id = c.id)
  AND id > (SELECT avg(id) FROM mart.people);
-- expect
-- 1 INSERT lineage: mart.people, shop.customers, shop.orders, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ mart.people.id FILTER
--   mart.pairs.* <~ shop.customers.id FILTER
--   mart.pairs.* <~ shop.customers.region FILTER
--   mart.pairs.* <~ shop.orders.customer_id FILTER
--   mart.pairs.* <~ shop.regions.country FILTER
--   mart.pairs.* <~ shop.regions.region FILTER

-- case: by position and by alias
-- dialect: spark
INSERT INTO mart.pairs SELECT region AS r, lower(name) AS n FROM shop.customers GROUP BY 1, n ORDER BY 2, r DESC;
INSERT INTO mart.pairs SELECT name AS email, email AS name FROM shop.customers ORDER BY name;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.region SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.name GROUP_BY
--   mart.pairs.* <~ shop.customers.name SORT
--   mart.pairs.* <~ shop.customers.region GROUP_BY
--   mart.pairs.* <~ shop.customers.region SORT
-- 2 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.email SORT

-- case: order of a union
-- dialect: hive
INSERT INTO mart.pairs SELECT name AS n, email FROM shop.customers UNION ALL SELECT region, country FROM shop.regions ORDER BY n;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION IDENTITY
--   mart.pairs.k <- shop.customers.name EXPRESSION IDENTITY
--   mart.pairs.v <- shop.regions.country EXPRESSION IDENTITY
--   mart.pairs.k <- shop.regions.region EXPRESSION IDENTITY
--   mart.pairs.* <~ shop.customers.name SORT
--   mart.pairs.* <~ shop.regions.region SORT

-- case: conditions of the queries that are read
-- dialect: spark
WITH rich AS (SELECT customer_id, amount FROM shop.orders WHERE amount > 100), unread AS (SELECT id FROM mart.people WHERE email = 'x')
INSERT INTO mart.pairs SELECT name, amount FROM (SELECT id, name FROM shop.customers WHERE region = 'eu') c JOIN rich ON rich.customer_id = c.id;
-- expect
-- 1 INSERT lineage: mart.people, shop.customers, shop.orders -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.orders.amount EXPRESSION IDENTITY
--   mart.pairs.* <~ shop.customers.id JOIN
--   mart.pairs.* <~ shop.customers.region FILTER
--   mart.pairs.* <~ shop.orders.amount FILTER
--   mart.pairs.* <~ shop.orders.customer_id JOIN

-- case: conditions of a temporary view go on
-- dialect: spark
CREATE TEMP VIEW some AS SELECT id, CASE WHEN region = 'eu' THEN name END AS n FROM shop.customers WHERE tax_id IS NOT NULL;
INSERT INTO mart.pairs SELECT n, 'x' FROM some;
-- expect
-- 1 CREATE TEMPORARY VIEW no_lineage: shop.customers -> nothing
--   because: some lives as long as the script: what comes of it is followed where it is read
-- 2 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.name EXPRESSION IDENTITY
--   mart.pairs.k <- shop.customers.region EXPRESSION CONDITIONAL
--   mart.pairs.k <~ shop.customers.region CONDITIONAL
--   mart.pairs.* <~ shop.customers.tax_id FILTER

-- case: what chooses a value
-- dialect: spark
INSERT INTO mart.wide SELECT CASE customer_id WHEN id THEN id ELSE customer_id END, if(ds > '1', note, ship.city), sum(amount) FILTER (WHERE ds = '1'), nvl2(note, 1, id) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount EXPRESSION AGGREGATION
--   mart.wide.customer_id <- shop.orders.customer_id EXPRESSION IDENTITY
--   mart.wide.name <- shop.orders.ds EXPRESSION CONDITIONAL
--   mart.wide.total <- shop.orders.ds EXPRESSION CONDITIONAL
--   mart.wide.customer_id <- shop.orders.id EXPRESSION IDENTITY
--   mart.wide.orders <- shop.orders.id EXPRESSION IDENTITY
--   mart.wide.name <- shop.orders.note EXPRESSION IDENTITY
--   mart.wide.orders <- shop.orders.note EXPRESSION CONDITIONAL
--   mart.wide.name <- shop.orders.ship EXPRESSION TRANSFORMATION
--   mart.wide.customer_id <~ shop.orders.customer_id CONDITIONAL
--   mart.wide.name <~ shop.orders.ds CONDITIONAL
--   mart.wide.total <~ shop.orders.ds CONDITIONAL
--   mart.wide.customer_id <~ shop.orders.id CONDITIONAL
--   mart.wide.orders <~ shop.orders.note CONDITIONAL

-- case: what chooses a value beside the value
-- dialect: spark
INSERT INTO mart.pairs SELECT CASE WHEN email LIKE '%@%' THEN email END, sha2(CASE WHEN name = 'x' THEN email END, 256) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email EXPRESSION IDENTITY
--   mart.pairs.v <- shop.customers.email EXPRESSION TRANSFORMATION masked
--   mart.pairs.v <- shop.customers.name EXPRESSION CONDITIONAL masked
--   mart.pairs.k <~ shop.customers.email CONDITIONAL
--   mart.pairs.v <~ shop.customers.name CONDITIONAL

-- case: keys of windows
-- dialect: spark
INSERT INTO mart.pairs SELECT row_number() OVER (PARTITION BY region ORDER BY name DESC), lag(email) OVER w FROM shop.customers WINDOW w AS (ORDER BY id);
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.id SCRIPT WINDOW
--   mart.pairs.k <- shop.customers.name SCRIPT WINDOW
--   mart.pairs.k <- shop.customers.region SCRIPT WINDOW
--   mart.pairs.v <~ shop.customers.id WINDOW
--   mart.pairs.k <~ shop.customers.name WINDOW
--   mart.pairs.k <~ shop.customers.region WINDOW

-- case: QUALIFY
-- dialect: spark
INSERT INTO mart.pairs SELECT name, email FROM shop.customers QUALIFY row_number() OVER (PARTITION BY region ORDER BY id) = 1;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id FILTER
--   mart.pairs.* <~ shop.customers.region FILTER

-- case: MERGE and UPDATE
-- dialect: spark
MERGE INTO mart.people p USING shop.customers c ON p.id = c.id WHEN MATCHED AND c.region = 'eu' THEN UPDATE SET email = c.email;
UPDATE mart.people SET email = upper(email) WHERE region = 'eu';
-- expect
-- 1 MERGE lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email SIMPLE IDENTITY
--   mart.people.* <~ mart.people.id JOIN
--   mart.people.* <~ shop.customers.id JOIN
--   mart.people.* <~ shop.customers.region FILTER
-- 2 UPDATE lineage: mart.people -> mart.people
--   mart.people.email <- mart.people.email EXPRESSION TRANSFORMATION
--   mart.people.* <~ mart.people.region FILTER

-- case: a branch each of several
-- dialect: hive
FROM shop.customers INSERT INTO mart.pairs SELECT name, email WHERE region = 'eu' INSERT INTO mart.people SELECT id, name, email, region WHERE tax_id = '1' SORT BY name;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs, mart.people
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.people.email <- shop.customers.email SIMPLE IDENTITY
--   mart.people.id <- shop.customers.id SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY
--   mart.people.region <- shop.customers.region SIMPLE IDENTITY
--   mart.people.* <~ shop.customers.name SORT
--   mart.pairs.* <~ shop.customers.region FILTER
--   mart.people.* <~ shop.customers.tax_id FILTER

-- case: a condition that cannot be resolved takes no column with it
-- dialect: spark
INSERT INTO mart.pairs SELECT name, email FROM shop.customers WHERE nowhere = 1 AND region = 'eu' AND id IN (SELECT also_nowhere FROM shop.regions);
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id FILTER
--   mart.pairs.* <~ shop.customers.region FILTER
