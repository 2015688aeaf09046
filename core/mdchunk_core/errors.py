"""What mdchunk raises. Markdown itself never raises: only misuse and missing tokenizers do."""

from __future__ import annotations

__all__ = ["ConfigError", "MdchunkError", "TokenizerUnavailable"]


class MdchunkError(Exception):
    """Base of everything that mdchunk raises on purpose."""


class ConfigError(MdchunkError, ValueError):
    """An option has a value that cannot work. Names the option, the value and what is allowed."""

    def __init__(self, option: str, value: object, allowed: str) -> None:
        super().__init__(option, value, allowed)
        self.option = option
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.option}={self.value!r}: {self.allowed}"


class TokenizerUnavailable(MdchunkError, RuntimeError):
    """The encoding can be had neither from this package nor from where tiktoken looks."""
