"""Kafka topics as a source of events."""
