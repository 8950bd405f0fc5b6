-- case: static partition
-- dialect: hive
INSERT OVERWRITE TABLE mart.sales PARTITION (ds = '2026-01-01') SELECT id, customer_id, amount FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.sales
--   mart.sales.amount <- shop.orders.amount SIMPLE IDENTITY
--   mart.sales.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.sales.id <- shop.orders.id SIMPLE IDENTITY

-- case: dynamic partition stands last
-- dialect: hive
INSERT OVERWRITE TABLE mart.sales PARTITION (ds) SELECT id, customer_id, amount, ds AS day FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.sales
--   mart.sales.amount <- shop.orders.amount SIMPLE IDENTITY
--   mart.sales.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.sales.ds <- shop.orders.ds SIMPLE IDENTITY
--   mart.sales.id <- shop.orders.id SIMPLE IDENTITY

-- case: static, then dynamic partition
-- dialect: hive
INSERT INTO mart.parts PARTITION (ds = '1', hr) SELECT id, note, ds FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.parts
--   mart.parts.hr <- shop.orders.ds SIMPLE IDENTITY
--   mart.parts.k <- shop.orders.id SIMPLE IDENTITY
--   mart.parts.v <- shop.orders.note SIMPLE IDENTITY

-- case: partition IF NOT EXISTS
-- dialect: hive
INSERT OVERWRITE TABLE mart.sales PARTITION (ds = '1') IF NOT EXISTS
SELECT id, customer_id, amount FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.sales
--   mart.sales.amount <- shop.orders.amount SIMPLE IDENTITY
--   mart.sales.customer_id <- shop.orders.customer_id SIMPLE IDENTITY
--   mart.sales.id <- shop.orders.id SIMPLE IDENTITY

-- case: by position, whatever the aliases say
-- dialect: hive
INSERT INTO mart.pairs SELECT note AS v, ds AS k FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.v <- shop.orders.ds SIMPLE IDENTITY
--   mart.pairs.k <- shop.orders.note SIMPLE IDENTITY

-- case: a column list turns them round
-- dialect: hive
INSERT INTO mart.pairs (v, k) SELECT note, ds FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.pairs
--   mart.pairs.k <- shop.orders.ds SIMPLE IDENTITY
--   mart.pairs.v <- shop.orders.note SIMPLE IDENTITY

-- case: column list after PARTITION
-- dialect: hive
INSERT INTO mart.parts PARTITION (ds = '1', hr = '2') (v, k) SELECT note, id FROM shop.orders;
-- expect
-- 1 INSERT lineage: shop.orders -> mart.parts
--   mart.parts.k <- shop.orders.id SIMPLE IDENTITY
--   mart.parts.v <- shop.orders.note SIMPLE IDENTITY

-- case: BY NAME
-- dialect: spark
INSERT INTO mart.people BY NAME SELECT region, email, name, id FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.people
--   mart.people.email <- shop.customers.email SIMPLE IDENTITY
--   mart.people.id <- shop.customers.id SIMPLE IDENTITY
--   mart.people.name <- shop.customers.name SIMPLE IDENTITY
--   mart.people.region <- shop.customers.region SIMPLE IDENTITY

-- case: one name twice
-- dialect: hive
INSERT INTO mart.pairs SELECT c.region, r.region FROM shop.customers c JOIN shop.regions r ON c.region = r.region;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.region SIMPLE IDENTITY
--   mart.pairs.v <- shop.regions.region SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.regions.region JOIN

-- case: values have no source
-- dialect: spark
INSERT INTO mart.pairs VALUES ('a', 'b'), ('c', 'd');
-- expect
-- 1 INSERT lineage: nothing -> mart.pairs

-- case: TABLE as the query
-- dialect: spark
INSERT OVERWRITE mart.pairs TABLE mart.pairs;
-- expect
-- 1 INSERT lineage: mart.pairs -> mart.pairs
--   mart.pairs.k <- mart.pairs.k SIMPLE IDENTITY
--   mart.pairs.v <- mart.pairs.v SIMPLE IDENTITY

-- case: query in parentheses
-- dialect: hive
INSERT INTO mart.pairs (SELECT name, email FROM shop.customers);
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: Delta: REPLACE WHERE
-- dialect: spark
INSERT INTO mart.pairs REPLACE WHERE k = 'a' SELECT name, email FROM shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: a folder is no table
-- dialect: spark
INSERT OVERWRITE DIRECTORY '/out' USING csv OPTIONS ('sep' ';') SELECT id FROM shop.orders;
-- expect
-- 1 INSERT no_lineage: shop.orders -> nothing
--   because: it writes files to a folder, to no table

-- case: a local folder with a row format
-- dialect: hive
INSERT OVERWRITE LOCAL DIRECTORY '/out' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' SELECT id FROM shop.orders;
-- expect
-- 1 INSERT no_lineage: shop.orders -> nothing
--   because: it writes files to a folder, to no table

-- case: names of three parts
-- dialect: trino
INSERT INTO hive.mart.pairs SELECT name, email FROM hive.shop.customers;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: another catalog is another place
-- dialect: trino
INSERT INTO mart.pairs SELECT name, email FROM postgresql.shop.customers;
-- expect
-- 1 INSERT lineage: postgresql.shop.customers -> mart.pairs
--   mart.pairs.v <- postgresql.shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- postgresql.shop.customers.name SIMPLE IDENTITY

-- case: upper case and backticks
-- dialect: hive
INSERT INTO `MART`.`Pairs` SELECT C.NAME, `C`.`Email` FROM `shop.customers` C;
-- expect
-- 1 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: fewer columns than the target has
-- dialect: hive
INSERT INTO mart.pairs SELECT name FROM shop.customers;
-- expect
-- 1 INSERT unresolved: shop.customers -> mart.pairs
--   because: mart.pairs: columns to fill: 2, columns of the query: 1
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: more columns than the target has
-- dialect: hive
INSERT INTO mart.pairs SELECT name, email, region FROM shop.customers;
-- expect
-- 1 INSERT unresolved: shop.customers -> mart.pairs
--   because: 1 of 3 columns not traced: region: the target has no column for it; mart.pairs: columns to fill: 2, columns of the query: 3
--   not traced: region
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: a target that is not known
-- dialect: hive
INSERT INTO mart.unheard SELECT name, upper(email) AS email, lower(region) FROM shop.customers;
-- expect
-- 1 INSERT unresolved: shop.customers -> mart.unheard
--   because: 1 of 3 columns not traced: column 3: it has no name; mart.unheard: its columns are not known: they are taken to be called as in the query
--   not traced: column 3
--   mart.unheard.email <- shop.customers.email EXPRESSION TRANSFORMATION
--   mart.unheard.name <- shop.customers.name SIMPLE IDENTITY
