"""A folder of `SHOW CREATE TABLE` texts, read as if it were a metastore."""
