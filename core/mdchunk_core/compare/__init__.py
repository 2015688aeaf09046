"""What splitters break: ours and others', on the same documents, judged by a parser that is none of theirs."""

from .locate import Located, Piece, locate
from .splitters import OURS, PEERS, Settings, Splitter, SplitterUnavailable, make_splitter, make_splitters

__all__ = [
    "OURS",
    "PEERS",
    "Located",
    "Piece",
    "Settings",
    "Splitter",
    "SplitterUnavailable",
    "locate",
    "make_splitter",
    "make_splitters",
]
