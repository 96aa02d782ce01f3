"""The ``g2s`` command. ``--version`` answers before anything heavy is imported."""

from __future__ import annotations

import os
import sys


def version() -> str:
    """The installed version of the distribution."""
    from importlib.metadata import version as installed

    return installed("graph2static")


def main() -> None:
    """Run the command line; the process ends with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        print(f"g2s {version()}")
        return
    from .app import app

    try:
        try:
            app()
        except SystemExit as end:
            _leave(end.code)
    except BrokenPipeError:
        # whoever read the output (`| head`) has seen enough; stdout must not complain again while the interpreter ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _leave(code: object) -> None:
    """End the process without taking its memory apart: that takes as long as reading a large project."""
    sys.stdout.flush()
    sys.stderr.flush()
    if code is None or isinstance(code, int):
        os._exit(code or 0)
    sys.exit(str(code))
