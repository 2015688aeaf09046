"""How many tokens a text has, for whichever tokenizer the reader of the chunks uses."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence, Sized
from typing import Any, NoReturn, Protocol, TypeAlias

import regex
import tiktoken

from ._encodings import (
    BUNDLED,
    CL100K_PATTERN,
    LONG,
    O200K_PATTERN,
    bundled_encode,
    bundled_encoding,
    count_by_pattern,
    count_in_halves,
    fast_encode,
    has_long_blank,
    is_panic,
)
from ._gigatoken import Encode, GigatokenEncode
from ._huggingface import counter_for
from .errors import ConfigError, TokenizerUnavailable

__all__ = ["Tokenizer", "TokenizerLike", "resolve"]

_ALLOWED = (
    "allowed are an encoding name ({}), an OpenAI model name, a tiktoken.Encoding, a Hugging Face tokenizer, "
    "or a callable that gives a text's token count or its tokens"
)
_PROBE = "The quick brown fox jumps over the lazy dog, 42 times a day."


class Tokenizer(ABC):
    """Counts tokens. Immutable, safe to share between threads, picklable as far as what it counts with is.

    >>> resolve("cl100k_base").count("<|endoftext|> is text")
    9
    """

    __slots__ = ("name",)
    name: str
    """The encoding's name, or what comes nearest to one."""

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, attribute: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __repr__(self) -> str:
        return f"<Tokenizer {self.name}>"

    def __hash__(self) -> int:
        return hash((type(self), self.name))

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...

    @abstractmethod
    def count(self, text: str) -> int:
        """Tokens of `text`, all of it ordinary text, with what the tokenizer adds around every text."""

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text: `count` for many short texts, with less work around each."""
        return [self.count(text) for text in texts]

    @property
    def overhead(self) -> int:
        """Tokens of the empty text: what the tokenizer adds around every text, such as [CLS] and [SEP]."""
        return 0

    def starts_exactly(self, line: str) -> bool:
        r"""Whether counts add up at the start of `line` (a line without its ending).

        True only where `count(a + b) == count(a) + count(b)` for every `a` that ends in "\n" and every `b` that starts
        with this line.
        """
        return False

    def exact_starts(self, lines: Sequence[str], numbers: Iterable[int]) -> list[int]:
        """Those of the numbers at the starts of whose lines counts add up; none of the lines has an ending in it."""
        return [number for number in numbers if self.starts_exactly(lines[number])]

    def before_lines(self, text: str) -> list[int] | None:
        """Tokens before each line of `text` at whose start counts add up, and before its end; any number elsewhere.

        None where this is not to be had for less than it takes to count the lines one by one.
        """
        return None


class HuggingFaceTokenizer(Protocol):
    """What a `tokenizers.Tokenizer` and the tokenizers of transformers have in common."""

    def encode(self, *args: Any, **options: Any) -> Any:
        """Turn a text into tokens."""


TokenizerLike: TypeAlias = Tokenizer | str | tiktoken.Encoding | HuggingFaceTokenizer | Callable[[str], int | Sized]
"""What `resolve` takes."""


class _Tiktoken(Tokenizer):
    """A tiktoken encoding; one that ships with the package is built at the first count."""

    __slots__ = ("_encode", "_encoding", "_pattern")
    _encoding: tiktoken.Encoding | None
    _encode: Encode
    _pattern: str

    def __init__(self, name: str, encoding: tiktoken.Encoding | None) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "_encoding", encoding)
        put(self, "_encode", self._build_and_encode if encoding is None else fast_encode(encoding))
        put(self, "_pattern", BUNDLED[name].pattern if encoding is None else encoding._pat_str)

    def _build_and_encode(self, text: str) -> Sized:
        encode = bundled_encode(self.name)
        object.__setattr__(self, "_encode", encode)
        return encode(text)

    @property
    def _built(self) -> tiktoken.Encoding:
        return self._encoding or bundled_encoding(self.name)

    def count(self, text: str) -> int:
        if len(text) >= LONG:
            return self._count_long(text)
        try:
            return len(self._encode(text))
        except UnicodeEncodeError:
            return len(self._encode(_without_surrogates(text)))
        except BaseException as error:
            if not is_panic(error):
                raise
            return count_in_halves(self._encode, _without_surrogates(text))

    def counts(self, texts: Sequence[str]) -> list[int]:
        if any(map(LONG.__le__, map(len, texts))):
            return [self.count(text) for text in texts]
        try:
            return list(map(len, map(self._encode, texts)))
        except BaseException as error:
            if not is_panic(error) and not isinstance(error, UnicodeEncodeError):
                raise
            return [self.count(text) for text in texts]

    def _count_long(self, text: str) -> int:
        text = _without_surrogates(text)
        if self._encoding is None:
            encode = bundled_encode(self.name)
            if isinstance(encode, GigatokenEncode) and encode.alike(text):
                return len(encode(text))
        try:
            if has_long_blank(text):
                return count_by_pattern(self._built, text)
            return len(self._encode(text))
        except BaseException as error:
            if not is_panic(error) and not isinstance(error, regex.error):
                raise
            return count_in_halves(self._encode, text)

    def starts_exactly(self, line: str) -> bool:
        # In both patterns white space with a line feed in it is one piece up to its last line feed, so that a piece
        # ends where `a` does; unless what follows is white space to the end of the text (cl100k takes that in with the
        # rest), or a slash (o200k takes line feeds and slashes after punctuation in one go). Neither looks behind.
        if not line or line.isspace():
            return False
        if "\r" in line or "\n" in line:
            first = line[: len(line) - len(line.lstrip())]
            if "\r" in first or "\n" in first:
                return False
        if self._pattern == CL100K_PATTERN:
            return True
        return self._pattern == O200K_PATTERN and line[0] != "/"

    def before_lines(self, text: str) -> list[int] | None:
        encode = bundled_encode(self.name) if self._encoding is None else None
        return encode.before_lines(text) if isinstance(encode, GigatokenEncode) else None

    def exact_starts(self, lines: Sequence[str], numbers: Iterable[int]) -> list[int]:
        if self._pattern == CL100K_PATTERN:
            return [number for number in numbers if (line := lines[number]) and not line.isspace()]
        return super().exact_starts(lines, numbers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Tiktoken):
            return NotImplemented
        if self.name != other.name or self._pattern != other._pattern:
            return False
        if self._encoding is other._encoding:
            return True
        return self._built._mergeable_ranks == other._built._mergeable_ranks

    __hash__ = Tokenizer.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return (_Tiktoken, (self.name, self._encoding))


class _Callable(Tokenizer):
    """Whatever the caller counts with."""

    __slots__ = ("_function", "_overhead")
    _function: Callable[[str], object]
    _overhead: int

    def __init__(self, name: str, function: Callable[[str], object]) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "_function", function)
        put(self, "_overhead", self.count(""))

    def count(self, text: str) -> int:
        try:
            result = self._function(text)
        except (UnicodeEncodeError, TypeError):
            clean = _without_surrogates(text)  # which Hugging Face refuses as a TypeError
            if clean is text:
                raise
            result = self._function(clean)
        if isinstance(result, Sized) and not isinstance(result, (str, bytes, dict, set)):
            return len(result)
        try:
            number = operator.index(result)  # type: ignore[arg-type]  # that is what is tried here
        except TypeError:
            number = -1
        if number < 0 or isinstance(result, bool):
            raise ConfigError("tokenizer", self._function, f"gave {result!r:.80} for a text; {_allowed()}")
        return number

    @property
    def overhead(self) -> int:
        return self._overhead

    def __eq__(self, other: object) -> bool:
        return self._function == other._function if isinstance(other, _Callable) else NotImplemented

    __hash__ = Tokenizer.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return (_Callable, (self.name, self._function))


def resolve(tokenizer: TokenizerLike) -> Tokenizer:
    """Give the `Tokenizer` for an encoding or model name, a `tiktoken.Encoding`, a Hugging Face tokenizer, a callable.

    Raises `ConfigError` for what is none of these, and `TokenizerUnavailable` for an encoding that tiktoken knows and
    cannot load.

    >>> resolve("gpt-4o").name
    'o200k_base'
    >>> resolve(lambda text: text.split()).count("three plain words")
    3
    """
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    if isinstance(tokenizer, str):
        return _named(tokenizer)
    if isinstance(tokenizer, tiktoken.Encoding):
        return _Tiktoken(tokenizer.name, tokenizer)
    owner = getattr(tokenizer, "__self__", None)
    if isinstance(owner, tiktoken.Encoding) and tokenizer in (owner.encode, owner.encode_ordinary):
        return _Tiktoken(owner.name, owner)  # `encode` itself raises at "<|endoftext|>" in a document
    named_counter = counter_for(tokenizer)
    if named_counter is not None:
        return _Callable(*named_counter)
    if callable(tokenizer):
        return _probed(tokenizer)
    raise ConfigError("tokenizer", tokenizer, _allowed())


def _named(name: str) -> Tokenizer:
    if name in BUNDLED:
        return _Tiktoken(name, None)
    if name not in tiktoken.list_encoding_names():
        try:
            encoding_name = tiktoken.encoding_name_for_model(name)
        except KeyError:
            raise ConfigError("tokenizer", name, _allowed()) from None
        return _named(encoding_name)
    try:
        return _Tiktoken(name, tiktoken.get_encoding(name))
    except Exception as error:
        raise TokenizerUnavailable(
            f"mdchunk does not ship the encoding {name!r} and tiktoken could not load it "
            f"({type(error).__name__}: {error}). Ways to supply it: let tiktoken download it once; set "
            f"TIKTOKEN_CACHE_DIR to a folder that tiktoken has filled on another machine; pass a tiktoken.Encoding; "
            f"or use an encoding that is shipped ({', '.join(BUNDLED)})."
        ) from error


def _probed(function: Callable[[str], object]) -> Tokenizer:
    try:
        tokenizer = _Callable(getattr(function, "__qualname__", type(function).__qualname__), function)
        counted = tokenizer.count(_PROBE)
    except ConfigError:
        raise
    except Exception as error:
        raise ConfigError(
            "tokenizer", function, f"raised {type(error).__name__} on a short text ({error}); {_allowed()}"
        ) from error
    if counted == 0:
        raise ConfigError("tokenizer", function, f"counts 0 tokens in {_PROBE!r}; {_allowed()}")
    return tokenizer


def _allowed() -> str:
    return _ALLOWED.format(", ".join(tiktoken.list_encoding_names()))


def _without_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates, as `tiktoken.Encoding.encode_ordinary` does."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
