"""The only Dagster in the package: keys, partitions, assets, checks, sensors and jobs."""
