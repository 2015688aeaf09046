"""A document and its chunks as one HTML page that needs no network (extra `cli`)."""

from __future__ import annotations

from .page import preview

__all__ = ["preview"]
