"""A progress bar on a terminal, for what takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Gives a function to be told (done, total), or None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    shown: list[object] = []

    def tell(done: int, total: int) -> None:
        if not shown:
            if time.monotonic() - started < 1:
                return
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            shown.extend((bar, bar.add_task(title, total=total)))
        shown[0].update(shown[1], completed=done, total=total)  # type: ignore[attr-defined]

    try:
        yield tell
    finally:
        if shown:
            shown[0].stop()  # type: ignore[attr-defined]
