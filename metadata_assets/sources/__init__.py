"""I/O in. Each package holds `config.py` (imports nothing heavy), `client.py` (I/O) and `convert.py` (pure)."""
