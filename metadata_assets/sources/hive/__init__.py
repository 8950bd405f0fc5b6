"""A Hive metastore, read over Thrift in bulk."""
