"""Retrieval quality of splitters on questions with known answers. What it needs is in the extra `eval`."""
