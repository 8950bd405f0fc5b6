-- case: kinds: copy, cast that the engine adds, expression
-- dialect: hive
INSERT INTO mart.wide SELECT customer_id, note, amount, length(note) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount EXPRESSION IDENTITY
--   mart.wide.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.wide.name <- shop.orders.note SIMPLE IDENTITY
--   mart.wide.orders <- shop.orders.note EXPRESSION TRANSFORMATION

-- case: aggregates
-- dialect: hive
INSERT INTO mart.wide SELECT customer_id, max(note), sum(amount), count(*) FROM shop.orders GROUP BY customer_id;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount EXPRESSION AGGREGATION
--   mart.wide.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.wide.name <- shop.orders.note EXPRESSION AGGREGATION
--   mart.wide.* <~ shop.orders.customer_id GROUP_BY

-- case: hashes and masks
-- dialect: spark
INSERT INTO mart.people SELECT hash(tax_id), mask(name), sha2(email, 256), md5(lower(region)) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email EXPRESSION TRANSFORMATION masked
--   mart.people.name <- shop.customers.name EXPRESSION TRANSFORMATION masked
--   mart.people.region <- shop.customers.region EXPRESSION TRANSFORMATION masked
--   mart.people.id <- shop.customers.tax_id EXPRESSION TRANSFORMATION masked

-- case: a constant over the digits masks, taking signs out does not
-- dialect: spark
INSERT INTO mart.people SELECT regexp_replace(tax_id, '[0-9]', '0'), regexp_replace(name, '[^a-z]', ''), regexp_replace(email, '^[^@]+', '***'), regexp_replace(region, '(\\d+)-(\\d+)', '$1$2') FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email EXPRESSION TRANSFORMATION masked
--   mart.people.name <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.people.region <- shop.customers.region EXPRESSION TRANSFORMATION
--   mart.people.id <- shop.customers.tax_id EXPRESSION TRANSFORMATION masked

-- case: a part of the value beside stars is a mask
-- dialect: spark
INSERT INTO mart.pairs SELECT concat(substr(tax_id, 1, 3), '.***'), rpad(left(name, 1), 10, '*') FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.name EXPRESSION TRANSFORMATION masked
--   mart.pairs.k <- shop.customers.tax_id EXPRESSION TRANSFORMATION masked

-- case: the open way counts
-- dialect: spark
INSERT INTO mart.pairs SELECT CASE WHEN region = 'eu' THEN sha2(email, 256) ELSE email END, concat(md5(name), name) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email EXPRESSION IDENTITY
--   mart.pairs.v <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.region EXPRESSION CONDITIONAL
--   mart.pairs.k <~ shop.customers.region CONDITIONAL

-- case: windows
-- dialect: hive
INSERT INTO mart.wide SELECT id, lag(note) OVER (PARTITION BY customer_id ORDER BY ds), sum(amount) OVER w, row_number() OVER w FROM shop.orders WINDOW w AS (PARTITION BY customer_id);
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount SCRIPT AGGREGATION
--   mart.wide.name <- shop.orders.customer_id SCRIPT WINDOW
--   mart.wide.orders <- shop.orders.customer_id SCRIPT WINDOW
--   mart.wide.total <- shop.orders.customer_id SCRIPT WINDOW
--   mart.wide.name <- shop.orders.ds SCRIPT WINDOW
--   mart.wide.customer_id <- shop.orders.id SIMPLE IDENTITY
--   mart.wide.name <- shop.orders.note SCRIPT TRANSFORMATION
--   mart.wide.name <~ shop.orders.customer_id WINDOW
--   mart.wide.orders <~ shop.orders.customer_id WINDOW
--   mart.wide.total <~ shop.orders.customer_id WINDOW
--   mart.wide.name <~ shop.orders.ds WINDOW

-- case: window of old Hive
-- dialect: hive
INSERT INTO mart.pairs SELECT note, first_value(ds, true) OVER (DISTRIBUTE BY customer_id SORT BY id) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.customer_id SCRIPT WINDOW
--   mart.pairs.v <- shop.orders.ds SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.orders.id SCRIPT WINDOW
--   mart.pairs.k <- shop.orders.note SIMPLE IDENTITY
--   mart.pairs.v <~ shop.orders.customer_id WINDOW
--   mart.pairs.v <~ shop.orders.id WINDOW

-- case: more of old Hive
-- dialect: hive
INSERT INTO mart.wide SELECT id, note, rank() OVER (CLUSTER BY ds), trunc(amount) FROM shop.orders CLUSTER BY id;
INSERT INTO mart.pairs SELECT note, CAST(ds AS TIMESTAMPLOCALTZ) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.orders <- shop.orders.amount EXPRESSION TRANSFORMATION
--   mart.wide.total <- shop.orders.ds SCRIPT WINDOW
--   mart.wide.customer_id <- shop.orders.id SIMPLE IDENTITY
--   mart.wide.name <- shop.orders.note SIMPLE IDENTITY
--   mart.wide.total <~ shop.orders.ds WINDOW
--   mart.wide.* <~ shop.orders.id SORT
-- 2 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.ds EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.orders.note SIMPLE IDENTITY

-- case: a column beside a window is none
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM (SELECT name, email, row_number() OVER (PARTITION BY region ORDER BY id) rn FROM shop.customers) q WHERE rn = 1;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id FILTER
--   mart.pairs.* <~ shop.customers.region FILTER

-- case: fields of a struct and of a map
-- dialect: spark
INSERT INTO mart.pairs SELECT ship.city, tags['colour'] FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.ship EXPRESSION TRANSFORMATION
--   mart.pairs.v <- shop.orders.tags EXPRESSION TRANSFORMATION

-- case: a struct that the query builds
-- dialect: hive
INSERT INTO mart.pairs SELECT s.a, s.b FROM (SELECT named_struct('a', name, 'b', email) s FROM shop.customers) q;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.name EXPRESSION TRANSFORMATION

-- case: explode of a struct
-- dialect: spark
INSERT INTO mart.pairs SELECT l.line.sku, cast(l.line.qty AS string) FROM shop.orders LATERAL VIEW explode(lines) l AS line;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.lines SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.orders.lines SCRIPT TRANSFORMATION

-- case: explode without AS
-- dialect: hive
INSERT INTO mart.pairs SELECT key, value FROM shop.orders LATERAL VIEW explode(tags) t key, value;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.tags SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.orders.tags SCRIPT TRANSFORMATION

-- case: two views, position and JSON
-- dialect: hive
INSERT INTO mart.pairs SELECT cast(p.n AS string), j.a FROM shop.orders o LATERAL VIEW OUTER posexplode(o.lines) p AS n, line LATERAL VIEW json_tuple(o.note, 'a', 'b') j AS a, b;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.lines SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.orders.note SCRIPT TRANSFORMATION

-- case: explode of what a query made
-- dialect: hive
INSERT INTO mart.pairs SELECT q.ds, word FROM (SELECT ds, split(note, ' ') words FROM shop.orders) q LATERAL VIEW explode(words) w AS word;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.ds SIMPLE IDENTITY
--   mart.pairs.v <- shop.orders.note SCRIPT TRANSFORMATION

-- case: UNNEST, and its count
-- dialect: trino
INSERT INTO mart.pairs SELECT t.key, cast(t.n AS varchar) FROM shop.orders CROSS JOIN UNNEST(tags) WITH ORDINALITY AS t(key, value, n);
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.tags SCRIPT TRANSFORMATION

-- case: a function of several columns
-- dialect: spark
INSERT INTO mart.pairs SELECT stack(2, name, email, region, tax_id) AS (a, b) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.email SCRIPT TRANSFORMATION
--   mart.pairs.k <- shop.customers.name SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.name SCRIPT TRANSFORMATION
--   mart.pairs.k <- shop.customers.region SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.region SCRIPT TRANSFORMATION
--   mart.pairs.k <- shop.customers.tax_id SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.tax_id SCRIPT TRANSFORMATION

-- case: piped through a program
-- dialect: hive
INSERT INTO mart.pairs SELECT TRANSFORM(name, email) USING 'clean.py' AS (a STRING, b STRING) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.email SCRIPT TRANSFORMATION
--   mart.pairs.k <- shop.customers.name SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.name SCRIPT TRANSFORMATION

-- case: MAP within FROM
-- dialect: hive
FROM (FROM shop.customers MAP name, email USING 'clean.py' AS a, b) q INSERT INTO mart.pairs SELECT a, b;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.email SCRIPT TRANSFORMATION
--   mart.pairs.k <- shop.customers.name SCRIPT TRANSFORMATION
--   mart.pairs.v <- shop.customers.name SCRIPT TRANSFORMATION

-- case: functions over elements
-- dialect: spark
INSERT INTO mart.pairs SELECT note, to_json(transform(lines, l -> l.sku)) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.lines EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.orders.note SIMPLE IDENTITY
