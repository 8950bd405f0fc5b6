"""Keeps a lakehouse's metadata true: sources and specs in, one merged catalog entry a table out."""

__version__ = "0.1.0"
