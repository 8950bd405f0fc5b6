"""I/O in. Each package holds `config.py` (pydantic, imports nothing heavy), `client.py` (I/O) and `convert.py` (pure)."""
