"""Alembic's entry point. The connection is handed over by `store.engine`; there is no ini file to keep beside it."""

from alembic import context

from metadata_assets.store.tables import metadata

connection = context.config.attributes["connection"]
# SQLite cannot alter columns in place: batch mode copies the table.
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
