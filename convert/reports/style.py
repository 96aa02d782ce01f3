"""Colours of the terminal, or none."""

from __future__ import annotations

import os
import sys

_CODES = {"bold": "1", "red": "31;1", "yellow": "33", "blue": "34;1", "green": "32", "cyan": "36", "dim": "2"}


def wants_color(choice: str) -> bool:
    """Whether to colour: the option, then NO_COLOR, then FORCE_COLOR, then whether a terminal looks on."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


class Style:
    """Puts text in colour."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, name: str) -> str:
        """``text`` in the colour of that name."""
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m" if self.on and text else text
