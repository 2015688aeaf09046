"""One signal: a pattern of short lines, and the direction in which their block is merged."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from .errors import ConfigError

Direction = Literal["forward", "backward"]
Where = Literal["", "table", "figure", "code", "list"]

LONGEST = 200
"""Characters: a longer line is text, not a signal."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A pattern of short lines, and the direction in which their block is merged.

    Raises ConfigError where the pattern is no regular expression or the direction none of the two.

    >>> Signal("region", "backward", "en", r"^Region: (EMEA|APAC)$", qualifies=True).matches("Region: EMEA")
    True
    """

    name: str
    """Goes to decisions: `stand -> table`."""
    direction: Direction
    """`forward`: onto what follows. `backward`: onto what precedes, or forward where the section begins with it."""
    language: str
    """ISO 639 code, or `*` where the pattern belongs to no language."""
    pattern: str
    """Searched in the line as it stands, emphasis marks included, white space around it off; case does not count."""
    qualifies: bool = False
    """Whether the line limits what its section says, so that it goes to `notes`: validity, version, date, scope."""
    beside: Where = ""
    """Only next to a block of this kind: behind it for `backward`, before it for `forward`."""
    either_side: bool = False
    """A caption: to the block that `beside` asks for, wherever it stands."""
    _compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.direction not in get_args(Direction):
            needed = f"direction of {self.name!r}: 'forward' or 'backward' is needed"
            raise ConfigError("signals", self.direction, needed)
        if self.beside not in get_args(Where):
            kinds = ", ".join(map(repr, get_args(Where)))
            raise ConfigError("signals", self.beside, f"beside of {self.name!r}: one of {kinds} is needed")
        try:
            compiled = re.compile(self.pattern, re.IGNORECASE)
        except (re.error, TypeError, OverflowError, RecursionError) as error:
            raise ConfigError("signals", self.pattern, f"pattern of {self.name!r}: {error}") from error
        object.__setattr__(self, "_compiled", compiled)

    def matches(self, line: str) -> bool:
        """Whether the line, at most 200 characters, is such a signal."""
        return len(line) <= LONGEST and self._compiled.search(line) is not None


Row = tuple[str, Signal]
"""Beginnings of the line, lower case, marks aside, one of which it must have (`_` is a blank); and the signal."""
