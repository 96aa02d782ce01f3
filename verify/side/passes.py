"""Serve timed passes on demand: the parent asks the sides in turn, so that a slow moment of the machine meets them all."""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from typing import Any

_WARM_UP = 3
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def serve_passes(one_pass: Callable[[], float], calls: int, answers: int, warm: Callable[[], None] = lambda: None) -> None:
    """Tell the first passes' seconds, call ``warm``, then time a block of passes for every number read from stdin, until it is 0."""
    _answer(answers, {"warm_up": [one_pass() for _ in range(_WARM_UP)], "calls": calls})
    warm()
    for line in sys.stdin:
        passes = int(line)
        if passes == 0:
            break
        _answer(answers, {"seconds": [one_pass() for _ in range(passes)]})


def peak_memory() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def _answer(answers: int, message: dict[str, Any]) -> None:
    os.write(answers, json.dumps(message).encode() + b"\n")
