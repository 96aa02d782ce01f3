"""Compare what was printed, line by line, but for the rounding of the numbers in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?")


def differing_channels(original: dict[str, list[str]], given: dict[str, list[str]]) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each channel, such as stdout, whose lines are not the same, with the lines of both sides."""
    for channel, lines in original.items():
        others = given[channel]
        if len(lines) != len(others) or not all(map(same_text, lines, others)):
            yield channel, lines, others


def text_difference(lines: list[str], others: list[str]) -> str:
    """In words, what is missing or in excess."""
    missing = next((line for line in lines if not any(same_text(line, other) for other in others)), None)
    extra = next((line for line in others if not any(same_text(line, other) for other in lines)), None)
    told = [f"lacks {missing!r}"] if missing is not None else []
    told += [f"has {extra!r} in excess"] if extra is not None else []
    return " and ".join(told or [f"has {len(others)} lines, not {len(lines)}, or another order"])


def same_text(first: str, second: str) -> bool:
    """Whether two lines are equal but for the rounding of the numbers in them."""
    if first == second:
        return True
    if NUMBER.sub("#", first) != NUMBER.sub("#", second):
        return False
    pairs = zip(NUMBER.findall(first), NUMBER.findall(second), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-4, abs_tol=1e-6) for a, b in pairs)


def is_part(part: list[str], whole: list[str]) -> bool:
    """Whether the lines of one are among the lines of the other, in order."""
    remaining = iter(whole)
    return all(any(same_text(line, other) for other in remaining) for line in part)
