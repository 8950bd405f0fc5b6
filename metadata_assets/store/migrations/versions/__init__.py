"""Alembic revisions of the store, applied when it is opened."""
