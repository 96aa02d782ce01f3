"""Regions of a source text: from lines and columns to offsets, and replacing several regions at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..rules.finding import Span


class Refused(Exception):
    """An edit that cannot be made without a risk; the message says why."""


@dataclass(frozen=True, order=True)
class Splice:
    """The characters from ``start`` to ``end`` give way to ``text``."""

    start: int
    end: int
    text: str

    def overlaps(self, other: Splice) -> bool:
        """Whether both touch the same characters, or insert at the same place."""
        return (self.start < other.end and other.start < self.end) or self.start == other.start


class Lines:
    """The lines of a text, ended by newline characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        for position, character in enumerate(text):
            if character == "\n":
                self.starts.append(position + 1)

    def offset(self, line: int, column: int) -> int:
        """The offset of a place, both counted from 1."""
        return self.starts[line - 1] + column - 1

    def region(self, span: Span) -> tuple[int, int]:
        """The offsets of a span."""
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    def end(self, line: int) -> int:
        """The offset behind the last character of a line, its newline left out."""
        return self.starts[line] - 1 if line < len(self.starts) else len(self.text)

    def column(self, line: int, byte_offset: int) -> int:
        """The column, from 1, of a byte offset as the syntax tree gives it."""
        text = self.text[self.starts[line - 1] : self.end(line)]
        return byte_offset + 1 if text.isascii() else len(text.encode()[:byte_offset].decode(errors="replace")) + 1


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """The text with all splices made; they must not overlap."""
    for splice in sorted(splices, reverse=True):
        text = text[: splice.start] + splice.text + text[splice.end :]
    return text
