"""Which files a run reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .finding import Problem

if TYPE_CHECKING:
    from .analyze import Settings


@dataclass
class Discovery:
    """The files found."""

    files: list[Path] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def discover(paths: Sequence[Path], settings: Settings) -> Discovery:
    """Find the Python files under paths."""
    result = Discovery()
    for path in paths:
        result.files.extend(sorted(path.rglob("*.py")) if path.is_dir() else [path])
    return result
