"""Aggregates and bounded samples become profiles and findings. Sampled values never leave this package."""
