"""What plug-ins are connected with in tests."""

from pathlib import Path

from metadata_assets.model.surroundings import Surroundings


def around(**environ: str) -> Surroundings:
    """Only these variables, and folders that do not exist."""
    return Surroundings(environ, Path("/nonexistent/base"), Path("/nonexistent/home"))
