"""Pure: facts merge into entries, entries are compared, tags travel along lineage."""
