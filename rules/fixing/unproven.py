"""Raised while a fix is put together, where a condition for it is not proven."""

from __future__ import annotations


class Unproven(Exception):
    """The message names the condition."""
