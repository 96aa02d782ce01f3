"""Inputs described on the command line: ``float32[8,128]`` is a tensor of that dtype and shape.

A spec is ``DTYPE[SIZE,...]``, optionally followed by ``:LOW:HIGH`` for the half-open range of the values. Without a range, floating
tensors are drawn from the normal distribution, integers from 0 to 9, booleans evenly. ``float32[]`` is a tensor of no dimensions.
Several specs are several positional arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import VerifyError

FLOATING = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
INTEGER = ("uint8", "int8", "int16", "int32", "int64")
DTYPES = (*FLOATING, *COMPLEX, *INTEGER, "bool")

_PATTERN = re.compile(r"(?P<dtype>\w+)\[(?P<shape>[\d,\s]*)\](?::(?P<low>-?[\d.]+):(?P<high>-?[\d.]+))?")


@dataclass(frozen=True)
class ShapeSpec:
    """A tensor to draw: its dtype, its shape, and the half-open range of its values."""

    dtype: str
    shape: tuple[int, ...]
    low: float | None = None
    high: float | None = None


def parse_shape_spec(text: str) -> ShapeSpec:
    """Read one spec, for example ``float32[8,128]`` or ``int64[8]:0:100``.

    Raises:
        VerifyError: the text is no spec, or its dtype or range does not exist.
    """
    match = _PATTERN.fullmatch(text.strip())
    if match is None:
        raise VerifyError(f"`{text}` is not a tensor's shape: write it as float32[8,128], or int64[8]:0:100 for values from 0 to 99")
    dtype = match["dtype"]
    if dtype not in DTYPES:
        raise VerifyError(f"`{text}`: there is no dtype `{dtype}`; there are {', '.join(DTYPES)}")
    try:
        shape = tuple(int(size) for size in match["shape"].split(",")) if match["shape"].strip() else ()
        low, high = (None, None) if match["low"] is None else (float(match["low"]), float(match["high"]))
    except ValueError:
        raise VerifyError(f"`{text}`: a size or a bound is not a number") from None
    if low is not None and high is not None and not low < high:
        raise VerifyError(f"`{text}`: the range is empty, {match['low']} is not below {match['high']}")
    if low is not None and dtype in (*COMPLEX, "bool"):
        raise VerifyError(f"`{text}`: {dtype} takes no range")
    return ShapeSpec(dtype, shape, low, high)
