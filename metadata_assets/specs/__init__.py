"""YAML specs as types: the loader with a place for every error, the kinds, their JSON Schema."""
