-- case: statements that move nothing
-- dialect: hive
!ls /tmp
ADD JAR s3://b/x.jar;
dfs -ls /;
MSCK REPAIR TABLE mart.sales;
ANALYZE TABLE mart.sales COMPUTE STATISTICS;
ALTER TABLE mart.sales DROP IF EXISTS PARTITION (ds < '2020');
DROP TABLE IF EXISTS mart.gone;
GRANT SELECT ON mart.sales TO USER x;
SHOW TABLES;
EXPLAIN INSERT INTO mart.pairs SELECT 1, 2;
CREATE FUNCTION f AS 'a.B';
SET x;
REFRESH TABLE mart.sales;
quit;
-- expect
-- 1 ! no_lineage: nothing -> nothing
--   because: a shell command: no data flows between tables
-- 2 ADD no_lineage: nothing -> nothing
--   because: ADD adds a resource: no data flows between tables
-- 3 DFS no_lineage: nothing -> nothing
--   because: DFS works on files: no data flows between tables
-- 4 MSCK no_lineage: nothing -> nothing
--   because: MSCK registers partitions: no data flows between tables
-- 5 ANALYZE no_lineage: nothing -> nothing
--   because: ANALYZE computes statistics: no data flows between tables
-- 6 ALTER TABLE no_lineage: nothing -> nothing
--   because: ALTER changes properties or partitions: no data flows between tables
-- 7 DROP TABLE no_lineage: nothing -> nothing
--   because: DROP removes: no data flows between tables
-- 8 GRANT no_lineage: nothing -> nothing
--   because: GRANT sets rights: no data flows between tables
-- 9 SHOW no_lineage: nothing -> nothing
--   because: SHOW shows metadata: no data flows between tables
-- 10 EXPLAIN no_lineage: nothing -> nothing
--   because: EXPLAIN shows a plan: no data flows between tables
-- 11 CREATE FUNCTION no_lineage: nothing -> nothing
--   because: CREATE FUNCTION moves no data
-- 12 SET no_lineage: nothing -> nothing
--   because: SET shows or sets a setting: no data flows between tables
-- 13 REFRESH no_lineage: nothing -> nothing
--   because: REFRESH refreshes cached metadata: no data flows between tables
-- 14 QUIT no_lineage: nothing -> nothing
--   because: QUIT ends the session: no data flows between tables

-- case: what the parser would take for something
-- dialect: hive
selec 1; create table t as selec a from b; insert into mart.pairs select; insert into mart.pairs; create view v; begin;
-- expect
-- 1 SELEC unparsed: nothing -> nothing
--   because: 'selec' begins no statement that is known here
-- 1 CREATE TABLE unparsed: nothing -> nothing
--   because: what follows AS is no query
-- 1 INSERT unparsed: nothing -> nothing
--   because: the query has no columns
-- 1 INSERT unparsed: nothing -> nothing
--   because: INSERT without a query
-- 1 CREATE VIEW unparsed: nothing -> nothing
--   because: a view without a query
-- 1 BEGIN unparsed: nothing -> nothing
--   because: 'begin' begins no statement that is known here

-- case: one bad statement among good ones
-- dialect: hive
INSERT INTO mart.pairs SELECT name email region FROM shop.customers;
INSERT INTO mart.pairs SELECT name, email FROM shop.customers;
-- expect
-- 1 INSERT unparsed: nothing -> nothing
--   because: the query: ParseError: Invalid expression / Unexpected token. Line 1, Col: 24.
-- 2 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: a query alone
-- dialect: hive
SELECT name FROM shop.customers;
-- expect
-- 1 SELECT no_lineage: shop.customers -> nothing
--   because: a query that writes nothing

-- case: another file
-- dialect: hive
source other.hql;
-- expect
-- 1 SOURCE unresolved: nothing -> nothing
--   because: it runs another file, whose statements are not read here

-- case: template blocks
-- dialect: spark
{% if full %} INSERT INTO mart.pairs SELECT name, email FROM shop.customers {% endif %};
INSERT INTO mart.pairs SELECT name, email FROM {{ source }};
INSERT INTO mart.pairs SELECT name, '{{ ds }}' FROM shop.customers;
-- expect
-- 1 INSERT unresolved: shop.customers -> mart.pairs
--   because: its template is not rendered: the first branch of each `if` is read, the body of each `for` once
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 2 INSERT unresolved: nothing -> mart.pairs
--   because: the name of a table holds {{ source }}, which is not set
-- 3 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: a model of dbt
-- dialect: spark
{# the model of pairs #}
{{ config(materialized='table') }}
SELECT name, email FROM {{ ref('customers') }};
-- expect
-- 2 SELECT unresolved: nothing -> nothing
--   because: the database of customers is not known

-- case: star over a table that is not known
-- dialect: hive
INSERT INTO mart.pairs SELECT * FROM shop.unheard;
-- expect
-- 1 INSERT table_only: shop.unheard -> mart.pairs
--   because: no column could be traced: *: the columns that the star stands for are not known
--   not traced: k
--   not traced: v

-- case: star of one side that is not known
-- dialect: hive
INSERT INTO mart.wide SELECT c.id, u.*, c.id FROM shop.customers c JOIN shop.unheard u ON u.id = c.id;
-- expect
-- 1 INSERT unresolved: shop.customers, shop.unheard -> mart.wide
--   because: 2 of 4 columns not traced: u.*: the columns that the star stands for are not known
--   not traced: name
--   not traced: total
--   mart.wide.customer_id <- shop.customers.id SIMPLE IDENTITY
--   mart.wide.orders <- shop.customers.id EXPRESSION IDENTITY
--   mart.wide.* <~ shop.customers.id JOIN
--   mart.wide.* <~ shop.unheard.id JOIN

-- case: a column that the table has not
-- dialect: hive
INSERT INTO mart.pairs SELECT name, surname FROM shop.customers;
-- expect
-- 1 INSERT unresolved: shop.customers -> mart.pairs
--   because: 1 of 2 columns not traced: surname: nothing that is read here has such a column
--   not traced: v
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY

-- case: a column of either of two
-- dialect: hive
INSERT INTO mart.pairs SELECT a.x, y FROM shop.unheard a JOIN shop.unseen b ON a.id = b.id;
-- expect
-- 1 INSERT unresolved: shop.unheard, shop.unseen -> mart.pairs
--   because: 1 of 2 columns not traced: y: it may come from a or b
--   not traced: v
--   mart.pairs.k <- shop.unheard.x SIMPLE IDENTITY
--   mart.pairs.* <~ shop.unheard.id JOIN
--   mart.pairs.* <~ shop.unseen.id JOIN

-- case: a column of the only one that can have it
-- dialect: hive
INSERT INTO mart.pairs SELECT name, y FROM shop.customers c JOIN shop.unheard u ON u.id = c.id;
-- expect
-- 1 INSERT lineage: shop.customers, shop.unheard -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.unheard.y SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.id JOIN
--   mart.pairs.* <~ shop.unheard.id JOIN

-- case: USING with a table that is not known
-- dialect: hive
INSERT INTO mart.pairs SELECT name, u.y FROM shop.customers JOIN shop.unheard u USING (region);
-- expect
-- 1 INSERT lineage: shop.customers, shop.unheard -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.unheard.y SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.unheard.region JOIN

-- case: subqueries over a table that is not known
-- dialect: trino
INSERT INTO mart.pairs SELECT name, (SELECT max(country) FROM shop.unheard u WHERE u.id = c.id) FROM shop.customers c;
INSERT INTO mart.pairs SELECT c.name, x.country FROM shop.customers c CROSS JOIN LATERAL (SELECT country FROM shop.unheard) x;
-- expect
-- 1 INSERT lineage: shop.customers, shop.unheard -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.unheard.country EXPRESSION AGGREGATION
--   mart.pairs.* <~ shop.unheard.c FILTER
--   mart.pairs.* <~ shop.unheard.id FILTER
-- 2 INSERT lineage: shop.customers, shop.unheard -> mart.pairs
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
--   mart.pairs.v <- shop.unheard.country SIMPLE IDENTITY

-- case: semicolons in strings, names and comments
-- dialect: hive
/* one; */ -- two;
INSERT INTO mart.pairs SELECT split(name, '\;')[0], concat(email, ';', "it's; \" so") -- a; b
FROM shop.customers /* c; /* d; */ */ WHERE name <> 'it''s;';
-- expect
-- 2 INSERT lineage: shop.customers -> mart.pairs
--   mart.pairs.v <- shop.customers.email EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.* <~ shop.customers.name FILTER

-- case: a comment that is never closed takes nothing with it in silence
-- dialect: spark
INSERT INTO mart.pairs SELECT k, v FROM mart.pairs2;

/* the next one is old
INSERT INTO mart.pairs SELECT 1, 2;
INSERT INTO mart.pairs SELECT 3, 4;
-- expect
-- 1 INSERT lineage: mart.pairs2 -> mart.pairs
--   mart.pairs.k <- mart.pairs2.k SIMPLE IDENTITY
--   mart.pairs.v <- mart.pairs2.v SIMPLE IDENTITY
-- 3 ? unparsed: nothing -> nothing
--   because: a comment that begins in line 3 is never closed: everything from there on is taken for a part of it

-- case: a comment that is never closed leaves the statement before it
-- dialect: hive
INSERT INTO mart.pairs SELECT 1, 2 /* the next one is old
; INSERT INTO mart.pairs SELECT 3, 4;
-- expect
-- 1 INSERT lineage: nothing -> mart.pairs
-- 1 ? unparsed: nothing -> nothing
--   because: a comment that begins in line 1 is never closed: everything from there on is taken for a part of it

-- case: a quote that is never closed
-- dialect: trino
SELECT 1;
INSERT INTO mart.pairs
SELECT 1, 'it;
INSERT INTO mart.pairs SELECT 3, 4;
-- expect
-- 1 SELECT no_lineage: nothing -> nothing
--   because: a query that writes nothing
-- 2 INSERT unparsed: nothing -> nothing
--   because: a text in ' that begins in line 3 is never closed: everything from there on is taken for a part of it

-- case: templates, of which one branch is read
-- dialect: spark
{{ config(materialized='incremental') }}
{% set columns = ['a', 'b'] %}
{% macro unused() %} SELECT email FROM shop.customers; {% endmacro %}
INSERT INTO mart.pairs SELECT {% if target.name == 'dev' %} name {% elif full %} email {% else %} tax_id {% endif %}, '{{ ds }}'
FROM {{ source('shop', 'customers') }} {% for c in columns %} WHERE {{ c }} = 1 {% endfor %};
INSERT INTO mart.pairs SELECT name, email FROM {{ ref("customers") }} WHERE {% raw %} 1 = 1 {% endraw %};
{% if full %} INSERT INTO mart.pairs SELECT name, email FROM shop.customers; {% else %} INSERT INTO mart.pairs SELECT email, name FROM shop.customers; {% endif %}
{{ log('done') }}
-- expect
-- 1 ? no_lineage: nothing -> nothing
--   because: nothing but a template
-- 3 INSERT unresolved: shop.customers -> mart.pairs
--   because: its template is not rendered: the first branch of each `if` is read, the body of each `for` once
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 6 INSERT unresolved: nothing -> mart.pairs
--   because: the database of customers is not known
-- 7 INSERT unresolved: shop.customers -> mart.pairs
--   because: its template is not rendered: the first branch of each `if` is read, the body of each `for` once
--   mart.pairs.v <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.k <- shop.customers.name SIMPLE IDENTITY
-- 7 INSERT unresolved: shop.customers -> mart.pairs
--   because: its template is not rendered: the first branch of each `if` is read, the body of each `for` once
--   mart.pairs.k <- shop.customers.email SIMPLE IDENTITY
--   mart.pairs.v <- shop.customers.name SIMPLE IDENTITY
-- 7 ? no_lineage: nothing -> nothing
--   because: nothing but a template

-- case: the name of an earlier column, over a table that is not known
-- dialect: spark
INSERT INTO mart.pairs SELECT first AS name, upper(name) FROM shop.unheard;
INSERT INTO mart.pairs SELECT region AS name, upper(name) FROM shop.customers JOIN shop.unheard USING (region);
-- expect
-- 1 INSERT lineage: shop.unheard -> mart.pairs
--   mart.pairs.k <- shop.unheard.first SIMPLE IDENTITY
--   mart.pairs.v <- shop.unheard.first EXPRESSION TRANSFORMATION
-- 2 INSERT lineage: shop.customers, shop.unheard -> mart.pairs
--   mart.pairs.v <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.region SIMPLE IDENTITY
--   mart.pairs.* <~ shop.customers.region JOIN
--   mart.pairs.* <~ shop.unheard.region JOIN

-- case: a subquery without tables of its own
-- dialect: spark
INSERT INTO mart.pairs SELECT (SELECT name || email), (SELECT max(country) FROM shop.regions WHERE region = c.region) FROM shop.customers c;
-- expect
-- 1 INSERT lineage: shop.customers, shop.regions -> mart.pairs
--   mart.pairs.k <- shop.customers.email EXPRESSION TRANSFORMATION
--   mart.pairs.k <- shop.customers.name EXPRESSION TRANSFORMATION
--   mart.pairs.v <- shop.regions.country EXPRESSION AGGREGATION
--   mart.pairs.* <~ shop.customers.region FILTER
--   mart.pairs.* <~ shop.regions.region FILTER
