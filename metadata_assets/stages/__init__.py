"""The stages of the pipeline as plain functions: sources and the store in, counts that add up out.

Dagster calls them from `defs/`, `plan` calls them on a scratch copy of the store, tests call them with neither.
"""
