"""The generated tables about torch, loaded when they are first asked for."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

NEWEST = "2.13"


@cache
def tables(release: str = NEWEST) -> dict[str, Any]:
    """The tables of a release, the newest known where there are none of its own."""
    path = Path(__file__).with_name(f"torch-{release}.json")
    if not path.exists():
        path = Path(__file__).with_name(f"torch-{NEWEST}.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


@cache
def members(table: str) -> frozenset[str]:
    """One of the tables that are lists, as a set."""
    return frozenset(tables()[table])


def returns(name: str) -> str:
    """What an operator returns by its schemas, "" for one that is not known: "Tensor", "(Tensor, Tensor)", "int" ..."""
    found: str = tables()["operators"].get(name, "")
    return found


def tensor_member(name: str) -> str:
    """What a method of a tensor returns by its stub, "" for one that is not known."""
    found: str = tables()["tensor_members"].get(name, "")
    return found
