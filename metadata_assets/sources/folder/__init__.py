"""A folder of text files: YAML specs or SQL jobs of a checkout."""
