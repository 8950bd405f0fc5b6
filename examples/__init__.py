"""What a reader can run: the sample lakehouse, starters of real services, deployment files."""
