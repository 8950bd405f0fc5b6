"""Starters of the real services that tests and the demo run against: no containers, packages from registries only.

Each module has a class for fixtures and a command for people, for example
`python -m examples.services.metastore start --dir /tmp/hms`.
"""
