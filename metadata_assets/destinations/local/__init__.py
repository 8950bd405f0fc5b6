"""The catalog as JSON in the store: what a dry run compares with, and the destination that every test can have."""
