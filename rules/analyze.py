"""The analyzer's front door."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

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
    target_tensorflow: str = "2.21"
    force_exclude: bool = False
    with_fixes: bool = True
    whole_project: bool = True
    """Whether all of ``root`` is read; if not, only what is named and what lies beside it."""


Progress = Callable[[int, int], None]
"""Called with the number of entries done and their total."""

_STACK_BYTES = 512 * 1024 * 1024
_RECURSION = 60_000


def analyze(
    paths: Sequence[Path], settings: Settings, progress: Progress | None = None, sources: dict[Path, str] | None = None
) -> Report:
    """Analyze the project around ``paths`` and report the findings that lie in ``paths``.

    Args:
        paths: files and folders; the whole project is read, these filter what is reported.
        settings: see :class:`Settings`.
        progress: told how far the run is.
        sources: texts that stand in for the files' contents (used while a conversion is repeated to its fixed point).
    """
    from .run import run

    started = time.perf_counter()
    result = on_large_stack(lambda: run(paths, settings, progress, sources))
    result.seconds = time.perf_counter() - started
    return result


Made = TypeVar("Made")


def on_large_stack(work: Callable[[], Made]) -> Made:
    """Do something on a thread whose stack is large enough to follow deeply nested code, with garbage collection paused.

    Raises:
        BaseException: what ``work`` raises.
    """
    outcome: list[Made] = []
    raised: list[BaseException] = []

    def target() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # handed to the caller's thread
            raised.append(error)

    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    previous = threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(_RECURSION)
    gc.disable()
    try:
        thread = threading.Thread(target=target, name="g2s-analyze", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(0.2)
    finally:
        threading.stack_size(previous)
        sys.setrecursionlimit(limit)
        if collecting:
            gc.freeze()  # what the run leaves behind is not garbage, and looking through it costs more than the run
            gc.enable()
    if raised:
        raise raised[0]
    return outcome[0]
