-- case: two tables in one reading
-- dialect: hive
FROM shop.orders o
INSERT OVERWRITE TABLE mart.sales PARTITION (ds = '1') SELECT o.id, o.customer_id, o.amount WHERE o.amount > 0
INSERT INTO TABLE mart.pairs SELECT o.note, o.ds GROUP BY o.note, o.ds;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs, mart.sales
--   mart.sales.amount <- shop.orders.amount SIMPLE IDENTITY
--   mart.sales.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.pairs.v <- shop.orders.ds SIMPLE IDENTITY
--   mart.sales.id <- shop.orders.id SIMPLE IDENTITY
--   mart.pairs.k <- shop.orders.note SIMPLE IDENTITY
--   mart.sales.* <~ shop.orders.amount FILTER
--   mart.pairs.* <~ shop.orders.ds GROUP_BY
--   mart.pairs.* <~ shop.orders.note GROUP_BY

-- case: over a query, one branch to a folder
-- dialect: hive
FROM (SELECT name, email FROM shop.customers) q
INSERT OVERWRITE TABLE mart.pairs SELECT q.name, lower(q.email)
INSERT OVERWRITE DIRECTORY '/out' SELECT q.name;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: a LATERAL VIEW in a branch
-- dialect: hive
FROM shop.orders o
INSERT INTO mart.pairs SELECT o.note, t.key LATERAL VIEW explode(o.tags) t AS key, value WHERE t.key <> ''
INSERT INTO mart.pairs SELECT o.ds, o.note;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.ds SIMPLE IDENTITY
--   mart.pairs.k <- shop.orders.note SIMPLE IDENTITY
--   mart.pairs.v <- shop.orders.note SIMPLE IDENTITY
--   mart.pairs.v <- shop.orders.tags SCRIPT TRANSFORMATION
--   mart.pairs.* <~ shop.orders.tags FILTER

-- case: WITH before FROM
-- dialect: hive
WITH c AS (SELECT name, email FROM shop.customers) FROM c INSERT INTO mart.pairs SELECT name, email;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: FROM first, one branch
-- dialect: hive
FROM shop.customers INSERT OVERWRITE TABLE mart.pairs SELECT name, email;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
