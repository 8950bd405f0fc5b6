"""Pure: SQL text becomes lineage."""
