"""Reading a source file: its encoding, its text, its syntax tree."""

from __future__ import annotations

import ast
import tokenize
from dataclasses import dataclass
from pathlib import Path


class SourceProblem(Exception):
    """A file that cannot be read or parsed."""

    def __init__(self, message: str, path: Path, line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.path, self.line = message, path, line


@dataclass(frozen=True)
class SourceText:
    """The text of a file."""

    text: str
    encoding: str


def read_source(path: Path) -> SourceText:
    """Read a file."""
    try:
        with open(path, "rb") as handle:
            encoding, _ = tokenize.detect_encoding(handle.readline)
            handle.seek(0)
            return SourceText(handle.read().decode(encoding).replace("\r\n", "\n"), encoding)
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        raise SourceProblem(str(error), path) from error


def parse_module(text: str, path: Path) -> ast.Module:
    """Parse a text."""
    try:
        return ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        raise SourceProblem(str(error), path, getattr(error, "lineno", None)) from error
