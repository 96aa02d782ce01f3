"""The analyzer's front door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .finding import Report


@dataclass(frozen=True)
class Settings:
    """What a run needs to know; the command line and ``[tool.g2s]`` fill it.

    ``root`` is the folder that the project is read from and that reported paths are relative to.
    """

    root: Path
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    """Extra entries, ``pkg.mod:name`` or ``pkg.mod:Class.method``."""
    target_torch: str = "2.13"
    force_exclude: bool = False
    with_fixes: bool = True


Progress = Callable[[int, int], None]
"""Called with the number of entries done and their total."""


def analyze(paths: Sequence[Path], settings: Settings, progress: Progress | None = None, sources: dict[Path, str] | None = None) -> Report:
    """Analyze the project around ``paths`` and report the findings that lie in ``paths``.

    Args:
        paths: files and folders; the whole project is read, these filter what is reported.
        settings: see :class:`Settings`.
        progress: told how far the run is.
        sources: texts that stand in for the files' contents (used while a conversion is repeated to its fixed point).
    """
    raise NotImplementedError
