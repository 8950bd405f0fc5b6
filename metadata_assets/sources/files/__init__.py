"""Data files of tables, found below their location: what the embedded engine profiles."""
