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
    "first" (that of the first tensor), a dtype, "argument:NAME:DEFAULT" or ""; both hold as long as none of the parameters in ``varying`` is given.
    """

    parameters: tuple[str, ...]
    result: str
    dtype: str
    varying: tuple[str, ...] = ()


class ClassEntry(NamedTuple):
    """A public class: "layer", "model", "metric", "loss", "optimizer", "initializer", "dataset", "module" or "other", and what its constructor takes."""

    kind: str
    parameters: tuple[str, ...]


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
    return {name: FunctionEntry(tuple(entry[0]), entry[1], entry[2], tuple(entry[3])) for name, entry in tables()["functions"].items()}


@cache
def classes() -> dict[str, ClassEntry]:
    """Public classes by name (``tf.keras.layers.Dense``)."""
    return {name: ClassEntry(kind, tuple(parameters)) for name, (kind, parameters) in tables()["classes"].items()}


def tensor_member(name: str) -> str:
    """What a member of a tensor is while a graph is traced: "method", "attribute", "eager" (gone), "raises", or ""."""
    found: str = tables()["tensor_members"].get(name, "")
    return found


def variable_member(name: str) -> str:
    """What a member of a variable is while a graph is traced: "method", "attribute", "raises", or ""."""
    found: str = tables()["variable_members"].get(name, "")
    return found


@cache
def unconverted_packages() -> tuple[str, ...]:
    """Dotted names of the packages that AutoGraph's rules leave as they are."""
    return tuple(tables()["autograph"]["do_not_convert"])


@cache
def without_xla_kernel() -> frozenset[str]:
    """Public functions whose operation XLA cannot compile."""
    return frozenset(tables()["xla"]["functions_without_kernel"])


def missing_in_compat() -> frozenset[str]:
    """Names under ``tf.compat.v1`` that the renames of TensorFlow 2 lead to and that are gone too."""
    return frozenset(tables()["compat_v1_missing"])


def removed() -> dict[str, str | None]:
    """Names of TensorFlow 1 that are gone, each with the name that took its place, if one did."""
    found: dict[str, str | None] = tables()["removed"]
    return found
