"""Writes changed files: each is replaced as a whole or not at all, and keeps its mode, encoding and line ends."""

from __future__ import annotations

import codecs
import difflib
import os
import re
import stat
import tempfile
from pathlib import Path

from ..rules.finding import Problem
from ..rules.source_text import SourceProblem, decode
from .conversion import ConversionResult, FileChange


def write_changes(result: ConversionResult) -> list[Problem]:
    """Write every changed file; returns what could not be written. A file that changed in the meantime is left alone."""
    problems = []
    for change in result.changes:
        try:
            _write(change)
        except SourceProblem as error:
            problems.append(Problem(str(change.path), f"left unchanged: {error.message}", error.line))
        except UnicodeEncodeError as error:
            problems.append(Problem(str(change.path), f"left unchanged: {error}"))
        except OSError as error:
            problems.append(Problem(str(change.path), f"cannot be written: {error.strerror or error}"))
    return problems


def encoded(change: FileChange, data: bytes) -> bytes:
    """The bytes of the changed file, given its present bytes.

    Raises:
        SourceProblem: the file no longer has the text that was converted.
    """
    present = decode(data, change.path)
    if present.text != change.before:
        raise SourceProblem("it changed while it was converted", change.path)
    mark = codecs.BOM_UTF8 if change.bom else b""
    text = data[len(mark) :].decode(change.encoding)
    return mark + with_line_ends(change.before, change.after, text).encode(change.encoding)


def with_line_ends(before: str, after: str, raw: str) -> str:
    """``after`` with the line ends of ``raw``, which is ``before`` as the file has it; new lines get the end that most lines have."""
    if "\r" not in raw:
        return after
    old = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", raw)
    ends = ("\r\n", "\n", "\r")
    counts = {end: sum(line.endswith(end) and (end != "\n" or not line.endswith("\r\n")) for line in old) for end in ends}
    newline = max(ends, key=lambda end: counts[end])
    new = re.findall(r"[^\n]*\n|[^\n]+\Z", after)
    lines = re.findall(r"[^\n]*\n|[^\n]+\Z", before)
    out: list[str] = []
    for kind, low, high, new_low, new_high in difflib.SequenceMatcher(None, lines, new, autojunk=False).get_opcodes():
        if kind == "equal":
            out.extend(old[low:high])
        else:
            # a changed line keeps its end; only lines that are added take the usual one
            for number, line in enumerate(new[new_low:new_high]):
                own = old[low + number][len(lines[low + number].rstrip("\n")) :] if low + number < high else ""
                out.append(line.replace("\n", own or newline))
    return "".join(out)


def _write(change: FileChange) -> None:
    target = change.path.resolve()
    data = encoded(change, target.read_bytes())
    mode = stat.S_IMODE(target.stat().st_mode)
    if not mode & stat.S_IWUSR:
        raise PermissionError(13, "the file is read-only")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(mode)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
