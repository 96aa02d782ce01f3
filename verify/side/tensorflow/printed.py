"""Catch what a call prints, below Python: ``tf.print`` writes to the descriptors of stdout and stderr from C++."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator

from .api import tf

_FRAMEWORK = tuple(os.sep + name + os.sep for name in ("tensorflow", "keras", "tf_keras", "absl"))
_OWN_LOG = re.compile(r"^(WARNING|INFO|ERROR|[IWEF]\d{4} |\d{4}-\d\d-\d\d \d\d:\d\d|To suppress|I0000)|StreamExecutor|XLA service|All log messages before absl")


class _Keep(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.partition(".")[0] != "tensorflow" and not _is_framework(record.pathname):
            self.lines.append(f"{record.name} {record.levelname}: {record.getMessage()}")


@contextlib.contextmanager
def printed() -> Iterator[dict[str, list[str]]]:
    """Collect the lines printed meanwhile, by channel; complete once the context ends."""
    lines: dict[str, list[str]] = {}
    keep = _Keep()
    root = logging.getLogger()
    root.addHandler(keep)
    _silence_framework()
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            with _caught(1, "stdout", lines), _caught(2, "stderr", lines):
                yield lines
    finally:
        root.removeHandler(keep)
        lines["stderr"] = [line for line in lines["stderr"] if not _OWN_LOG.search(line)]
        lines["log"] = keep.lines
        lines["warnings"] = [f"{item.category.__name__}: {item.message}" for item in warned if not _is_framework(item.filename)]


@contextlib.contextmanager
def _caught(descriptor: int, channel: str, lines: dict[str, list[str]]) -> Iterator[None]:
    with tempfile.TemporaryFile() as file:
        _flush()
        kept = os.dup(descriptor)
        os.dup2(file.fileno(), descriptor)
        try:
            yield
        finally:
            _flush()
            os.dup2(kept, descriptor)
            os.close(kept)
            file.seek(0)
            lines[channel] = file.read().decode("utf-8", "replace").splitlines()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # User code may have replaced or closed it.
        with contextlib.suppress(Exception):
            stream.flush()


def _silence_framework() -> None:
    logger = tf.get_logger()
    # Without any handler, Python itself would print the warnings.
    logger.handlers[:] = [logging.NullHandler()]
    logger.propagate = False


def _is_framework(path: str) -> bool:
    return "site-packages" in path and any(part in path for part in _FRAMEWORK)
