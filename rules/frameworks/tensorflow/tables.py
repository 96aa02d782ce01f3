"""The generated tables about TensorFlow, loaded when they are first asked for."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

NEWEST = "2.21"


class FunctionEntry(NamedTuple):
    """What is known of a public function.

    ``result`` is "Tensor", "list", "tuple:Tensor,list", "namedtuple:a=Tensor,b=Tensor", "Ragged", "Sparse", "Variable", "Dataset", "None", "static" or ""; ``dtype`` is
    "first" (that of the first tensor), a dtype, "argument:NAME:DEFAULT" or "".
    """

    parameters: tuple[str, ...]
    result: str
    dtype: str


@cache
def tables(release: str = NEWEST) -> dict[str, Any]:
    """The tables of a release, the newest known where there are none of its own."""
    path = Path(__file__).with_name(f"tensorflow-{release}.json")
    if not path.exists():
        path = Path(__file__).with_name(f"tensorflow-{NEWEST}.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


@cache
def functions() -> dict[str, FunctionEntry]:
    """Public functions by name (``tf.reduce_sum``)."""
    return {name: FunctionEntry(tuple(parameters), result, dtype) for name, (parameters, result, dtype) in tables()["functions"].items()}


def tensor_member(name: str) -> str:
    """What a member of a tensor is while a graph is traced: "method", "attribute", "eager" (gone), "raises", or ""."""
    found: str = tables()["tensor_members"].get(name, "")
    return found


@cache
def unconverted_packages() -> tuple[str, ...]:
    """Dotted names of the packages that AutoGraph's rules leave as they are."""
    return tuple(tables()["autograph"]["do_not_convert"])


@cache
def without_xla_kernel() -> frozenset[str]:
    """Public functions whose operation XLA cannot compile."""
    return frozenset(tables()["xla"]["functions_without_kernel"])


def removed() -> dict[str, str | None]:
    """Names of TensorFlow 1 that are gone, each with the name that took its place, if one did."""
    found: dict[str, str | None] = tables()["removed"]
    return found
