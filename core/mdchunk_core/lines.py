"""A document as lines that each name the headings they stand under, for line-wise indexes and for citing."""

from __future__ import annotations

from .blocks import parse
from .sections import outline
from .source import Source, read

__all__ = ["path_lines"]


def path_lines(text: str, *, pad: int = 2) -> list[str]:
    r"""Every visible line of body as `[H1:H2:L04]line`, in document order.

    Left out are front matter, blank lines and the headings themselves; what looks like a heading inside a fence, a list
    or a quote is body. Line numbers are those of `Chunk.start_line`: 1-based, in the document as given. They are padded
    with zeros to `pad` digits, or to as many as the last line of the body needs. White space around a line goes.

    >>> path_lines("# Travel\n## Hotels\nBook early.")
    ['[Travel:Hotels:L03]Book early.']
    """
    source = read(text)
    blocks = parse(source)
    sections = outline(source, blocks)
    width = max(pad, len(str(_number(source, blocks[-1].stop - 1) if blocks else 0)))
    out: list[str] = []
    for section, following in zip(sections, [*sections[1:], None], strict=True):
        path = ":".join([*section.path, "L"])
        for block in blocks[section.first : following.first if following else len(blocks)]:
            if block.kind == "heading":
                continue
            for number in range(block.start, block.stop):
                line = source.lines[number].lstrip("\ufeff").strip() if number == 0 else source.lines[number].strip()
                if line:
                    out.append(f"[{path}{_number(source, number):0{width}}]{line}")
    return out


def _number(source: Source, line: int) -> int:
    return source.line_number(source.original(source.line_starts[line]))
