"""``--add-functions``: ``tf.function`` put on what gains from it, taken off what carries it for nothing, and what was left alone and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..rules.analyze import Settings, on_large_stack

if TYPE_CHECKING:
    from ..rules.candidates import Candidate
    from .conversion import Conversion


def decorate(conversion: Conversion, paths: Sequence[Path], settings: Settings) -> list[Candidate]:
    """Change the texts of a conversion as the candidates' verdicts say; all candidates come back.

    Args:
        conversion: what has been rewritten so far.
        paths: the files and folders whose functions are judged.
        settings: how the project is read.
    """
    from ..rules.candidates import candidates

    judged = on_large_stack(lambda: candidates(paths, settings, dict(conversion.sources)))
    by_path: dict[str, list[Candidate]] = {}
    for candidate in judged:
        if candidate.verdict != "leave":
            by_path.setdefault(candidate.path, []).append(candidate)
    for path, chosen in by_path.items():
        text = conversion.text(path)
        if text is not None:
            conversion.put(path, _changed(text, chosen))
    return judged


def _changed(text: str, chosen: list[Candidate]) -> str:
    """The text with a line put above each function to be decorated, and the lines of needless decorators gone."""
    lines = text.split("\n")
    for candidate in sorted(chosen, key=lambda c: -c.line):
        row = candidate.line - 1
        indent = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
        if candidate.verdict == "add":
            lines.insert(row, indent + candidate.decorator)
            continue
        above = row - 1
        while above >= 0 and lines[above].strip().startswith("@"):
            if lines[above].strip().rstrip("()").endswith("function"):
                del lines[above]
                break
            above -= 1
    return "\n".join(lines)
