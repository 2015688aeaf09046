"""Documents and settings that several tests share."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

_SLOW = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# A change is judged by the same examples on every machine; new ones are looked for with --hypothesis-profile=search.
settings.register_profile("same", derandomize=True, **_SLOW)
settings.register_profile("search", **_SLOW)
settings.load_profile("same")

DATA = Path(__file__).parent / "data"


def corpus() -> list[Path]:
    """Real documents: those beside the tests, or all below the folder that MDCHUNK_CORPUS names."""
    folder = Path(os.environ.get("MDCHUNK_CORPUS", DATA / "corpus"))
    return sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".mdx", ".markdown"))


def load(path: Path) -> str:
    """A document's text, line endings as they are."""
    return path.read_bytes().decode("utf-8", "replace")
