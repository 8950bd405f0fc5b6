-- case: kinds: copy, cast that the engine adds, expression
-- dialect: hive
INSERT INTO mart.wide SELECT customer_id, note, amount, length(note) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount EXPRESSION identity
--   mart.wide.customer_id <- shop.orders.customer_id SIMPLE identity
--   mart.wide.name <- shop.orders.note SIMPLE identity
--   mart.wide.orders <- shop.orders.note EXPRESSION transformation

-- case: aggregates
-- dialect: hive
INSERT INTO mart.wide SELECT customer_id, max(note), sum(amount), count(*) FROM shop.orders GROUP BY customer_id;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount EXPRESSION aggregation
--   mart.wide.customer_id <- shop.orders.customer_id SIMPLE identity
--   mart.wide.name <- shop.orders.note EXPRESSION aggregation

-- case: hashes and masks
-- dialect: spark
INSERT INTO mart.people SELECT hash(tax_id), mask(name), sha2(email, 256), md5(lower(region)) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email EXPRESSION masking
--   mart.people.name <- shop.customers.name EXPRESSION masking
--   mart.people.region <- shop.customers.region EXPRESSION masking
--   mart.people.id <- shop.customers.tax_id EXPRESSION masking

-- case: a constant over the digits masks, taking signs out does not
-- dialect: spark
INSERT INTO mart.people SELECT regexp_replace(tax_id, '[0-9]', '0'), regexp_replace(name, '[^a-z]', ''), regexp_replace(email, '^[^@]+', '***'), regexp_replace(region, '(\\d+)-(\\d+)', '$1$2') FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email EXPRESSION masking
--   mart.people.name <- shop.customers.name EXPRESSION transformation
--   mart.people.region <- shop.customers.region EXPRESSION transformation
--   mart.people.id <- shop.customers.tax_id EXPRESSION masking

-- case: a part of the value beside stars is a mask
-- dialect: spark
INSERT INTO mart.pairs SELECT concat(substr(tax_id, 1, 3), '.***'), rpad(left(name, 1), 10, '*') FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.name EXPRESSION masking
--   mart.pairs.k <- shop.customers.tax_id EXPRESSION masking

-- case: the open way counts
-- dialect: spark
INSERT INTO mart.pairs SELECT CASE WHEN region = 'eu' THEN sha2(email, 256) ELSE email END, concat(md5(name), name) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email EXPRESSION transformation
--   mart.pairs.v <- shop.customers.name EXPRESSION transformation
--   mart.pairs.k <- shop.customers.region EXPRESSION transformation

-- case: windows
-- dialect: hive
INSERT INTO mart.wide SELECT id, lag(note) OVER (PARTITION BY customer_id ORDER BY ds), sum(amount) OVER w, row_number() OVER w FROM shop.orders WINDOW w AS (PARTITION BY customer_id);
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.total <- shop.orders.amount SCRIPT aggregation
--   mart.wide.name <- shop.orders.customer_id SCRIPT aggregation
--   mart.wide.orders <- shop.orders.customer_id SCRIPT aggregation
--   mart.wide.total <- shop.orders.customer_id SCRIPT aggregation
--   mart.wide.name <- shop.orders.ds SCRIPT aggregation
--   mart.wide.customer_id <- shop.orders.id SIMPLE identity
--   mart.wide.name <- shop.orders.note SCRIPT transformation

-- case: window of old Hive
-- dialect: hive
INSERT INTO mart.pairs SELECT note, first_value(ds, true) OVER (DISTRIBUTE BY customer_id SORT BY id) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.customer_id SCRIPT aggregation
--   mart.pairs.v <- shop.orders.ds SCRIPT transformation
--   mart.pairs.v <- shop.orders.id SCRIPT aggregation
--   mart.pairs.k <- shop.orders.note SIMPLE identity

-- case: more of old Hive
-- dialect: hive
INSERT INTO mart.wide SELECT id, note, rank() OVER (CLUSTER BY ds), trunc(amount) FROM shop.orders CLUSTER BY id;
INSERT INTO mart.pairs SELECT note, CAST(ds AS TIMESTAMPLOCALTZ) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.wide
--   mart.wide.orders <- shop.orders.amount EXPRESSION transformation
--   mart.wide.total <- shop.orders.ds SCRIPT aggregation
--   mart.wide.customer_id <- shop.orders.id SIMPLE identity
--   mart.wide.name <- shop.orders.note SIMPLE identity
-- 2 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.ds EXPRESSION transformation
--   mart.pairs.k <- shop.orders.note SIMPLE identity

-- case: a column beside a window is none
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email FROM (SELECT name, email, row_number() OVER (PARTITION BY region ORDER BY id) rn FROM shop.customers) q WHERE rn = 1;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE identity
--   mart.pairs.k <- shop.customers.name SIMPLE identity

-- case: fields of a struct and of a map
-- dialect: spark
INSERT INTO mart.pairs SELECT ship.city, tags['colour'] FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.ship EXPRESSION transformation
--   mart.pairs.v <- shop.orders.tags EXPRESSION transformation

-- case: a struct that the query builds
-- dialect: hive
INSERT INTO mart.pairs SELECT s.a, s.b FROM (SELECT named_struct('a', name, 'b', email) s FROM shop.customers) q;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION transformation
--   mart.pairs.k <- shop.customers.name EXPRESSION transformation

-- case: explode of a struct
-- dialect: spark
INSERT INTO mart.pairs SELECT l.line.sku, cast(l.line.qty AS string) FROM shop.orders LATERAL VIEW explode(lines) l AS line;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.lines SCRIPT transformation
--   mart.pairs.v <- shop.orders.lines SCRIPT transformation

-- case: explode without AS
-- dialect: hive
INSERT INTO mart.pairs SELECT key, value FROM shop.orders LATERAL VIEW explode(tags) t key, value;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.tags SCRIPT transformation
--   mart.pairs.v <- shop.orders.tags SCRIPT transformation

-- case: two views, position and JSON
-- dialect: hive
INSERT INTO mart.pairs SELECT cast(p.n AS string), j.a FROM shop.orders o LATERAL VIEW OUTER posexplode(o.lines) p AS n, line LATERAL VIEW json_tuple(o.note, 'a', 'b') j AS a, b;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.lines SCRIPT transformation
--   mart.pairs.v <- shop.orders.note SCRIPT transformation

-- case: explode of what a query made
-- dialect: hive
INSERT INTO mart.pairs SELECT q.ds, word FROM (SELECT ds, split(note, ' ') words FROM shop.orders) q LATERAL VIEW explode(words) w AS word;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.ds SIMPLE identity
--   mart.pairs.v <- shop.orders.note SCRIPT transformation

-- case: UNNEST, and its count
-- dialect: trino
INSERT INTO mart.pairs SELECT t.key, cast(t.n AS varchar) FROM shop.orders CROSS JOIN UNNEST(tags) WITH ORDINALITY AS t(key, value, n);
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.tags SCRIPT transformation

-- case: a function of several columns
-- dialect: spark
INSERT INTO mart.pairs SELECT stack(2, name, email, region, tax_id) AS (a, b) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email SCRIPT transformation
--   mart.pairs.v <- shop.customers.email SCRIPT transformation
--   mart.pairs.k <- shop.customers.name SCRIPT transformation
--   mart.pairs.v <- shop.customers.name SCRIPT transformation
--   mart.pairs.k <- shop.customers.region SCRIPT transformation
--   mart.pairs.v <- shop.customers.region SCRIPT transformation
--   mart.pairs.k <- shop.customers.tax_id SCRIPT transformation
--   mart.pairs.v <- shop.customers.tax_id SCRIPT transformation

-- case: piped through a program
-- dialect: hive
INSERT INTO mart.pairs SELECT TRANSFORM(name, email) USING 'clean.py' AS (a STRING, b STRING) FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email SCRIPT transformation
--   mart.pairs.v <- shop.customers.email SCRIPT transformation
--   mart.pairs.k <- shop.customers.name SCRIPT transformation
--   mart.pairs.v <- shop.customers.name SCRIPT transformation

-- case: MAP within FROM
-- dialect: hive
FROM (FROM shop.customers MAP name, email USING 'clean.py' AS a, b) q INSERT INTO mart.pairs SELECT a, b;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.email SCRIPT transformation
--   mart.pairs.v <- shop.customers.email SCRIPT transformation
--   mart.pairs.k <- shop.customers.name SCRIPT transformation
--   mart.pairs.v <- shop.customers.name SCRIPT transformation

-- case: functions over elements
-- dialect: spark
INSERT INTO mart.pairs SELECT note, to_json(transform(lines, l -> l.sku)) FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.lines EXPRESSION transformation
--   mart.pairs.k <- shop.orders.note SIMPLE identity
