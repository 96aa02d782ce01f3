"""Catch what a call prints: stdout, stderr, log records and warnings, without what the framework itself says."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import warnings
from collections.abc import Iterator

import torch

_FRAMEWORK = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep


class _Keep(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.partition(".")[0] != "torch":
            self.lines.append(f"{record.name} {record.levelname}: {record.getMessage()}")


@contextlib.contextmanager
def printed() -> Iterator[dict[str, list[str]]]:
    """Collect the lines printed meanwhile, by channel; complete once the context ends."""
    lines: dict[str, list[str]] = {}
    out, err, keep = io.StringIO(), io.StringIO(), _Keep()
    root = logging.getLogger()
    root.addHandler(keep)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                yield lines
    finally:
        root.removeHandler(keep)
        lines["stdout"] = out.getvalue().splitlines()
        lines["stderr"] = err.getvalue().splitlines()
        lines["log"] = keep.lines
        lines["warnings"] = [
            f"{item.category.__name__}: {item.message}" for item in warned if not os.path.abspath(item.filename).startswith(_FRAMEWORK)
        ]
