"""Compare two sets of leaves by their structure; how two leaves are compared is the framework's matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Leaf = dict[str, Any]


def differing_leaves(original: dict[str, Leaf], given: dict[str, Leaf], difference: Callable[[str, Leaf, Leaf], str]) -> Iterator[str]:
    """One message for each leaf that is missing, new, or different by ``difference``, which gives an empty text for equal ones."""
    for name, leaf in original.items():
        other = given.get(name)
        if other is None:
            if not _parent_differs(name, original, given):
                yield f"{name} is missing"
        elif message := difference(name, leaf, other):
            yield message
    for name in given:
        if name not in original and not _parent_differs(name, original, given):
            yield f"{name} is new"


def _parent_differs(name: str, original: dict[str, Leaf], given: dict[str, Leaf]) -> bool:
    """Whether a container around the leaf is reported already."""
    return any(
        name.startswith((f"{parent}[", f"{parent}.")) and (leaf["kind"], leaf.get("keys")) != (other["kind"], other.get("keys"))
        for parent, leaf in original.items()
        if (other := given.get(parent)) is not None
    )
