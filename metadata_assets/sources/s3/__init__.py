"""A bucket of text files: YAML specs or SQL jobs."""
