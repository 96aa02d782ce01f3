"""Reading a source file: its encoding, its text, its syntax tree, and a clear word about what is wrong with it."""

from __future__ import annotations

import ast
import codecs
import io
import tokenize
import warnings
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 10 * 1024 * 1024
"""A source file larger than this is not read: nobody wrote it by hand."""


class SourceProblem(Exception):
    """A file that cannot be read or parsed."""

    def __init__(self, message: str, path: Path, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line


@dataclass(frozen=True)
class SourceText:
    """The text of a file, with what is needed to write it back byte for byte.

    Attributes:
        text: the decoded text; every line end is a newline character.
        encoding: the codec that decodes the bytes behind the byte order mark.
        newline: the line end that the file uses; "mixed" when it uses several.
        bom: whether a UTF-8 byte order mark stands first.
    """

    text: str
    encoding: str
    newline: str = "\n"
    bom: bool = False


def read_source(path: Path) -> SourceText:
    """Read a file, honouring a byte order mark and an encoding comment (PEP 263).

    Raises:
        SourceProblem: unreadable, too large, binary, or not in the encoding that it declares.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SourceProblem(f"too large to be read as source: {size / 1e6:.0f} MB, the limit is {MAX_BYTES // 1024 // 1024} MiB", path)
        data = path.read_bytes()
    except OSError as error:
        raise SourceProblem(f"cannot be read: {error.strerror or error}", path) from error
    return decode(data, path)


def decode(data: bytes, path: Path) -> SourceText:
    """The text of a file's bytes; see :func:`read_source`."""
    if b"\0" in data:
        raise SourceProblem("a binary file: it holds NUL bytes", path)
    bom = data.startswith(codecs.BOM_UTF8)
    encoding = _declared_encoding(data, path) if b"coding" in data[:1000] else "utf-8"
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise SourceProblem(f"is not {encoding}: byte 0x{body[error.start]:02x}", path, line) from error
    return SourceText(_with_newlines(text), encoding, _newline_of(text), bom)


def _declared_encoding(data: bytes, path: Path) -> str:
    """The encoding that one of the first two lines may declare."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        raise SourceProblem(f"declares an encoding that cannot be used: {error.msg or error}", path, 1) from error
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _newline_of(text: str) -> str:
    """The one line end that a text uses, or "mixed"."""
    if "\r" not in text:
        return "\n"
    windows = text.count("\r\n")
    return "\r\n" if windows == text.count("\n") == text.count("\r") else "mixed"


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def parse_module(text: str, path: Path) -> ast.Module:
    """The syntax tree of a text.

    Raises:
        SourceProblem: not Python, with the line; or nested too deeply for the parser.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise SourceProblem(f"syntax error: {error.msg}", path, error.lineno) from error
    except (RecursionError, MemoryError) as error:
        raise SourceProblem("nested too deeply to be parsed", path) from error
    except ValueError as error:
        raise SourceProblem(f"cannot be parsed: {error}", path) from error
