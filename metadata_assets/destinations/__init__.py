"""I/O out. Each package holds `config.py`, pure `rows.py` or `payload.py`, and `destination.py`."""
