"""Small arguments to try a signature with, written as Python expressions over a few tensors.

All sizes are 3, so that most tensors broadcast, multiply and index one another. A form is tried with several dtypes and ranks, because
what is true of all of them is what the tables may claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .signature import Parameter, Signature

_MASKS = {"mask", "condition", "bool_mask"}
_INDICES = {"index", "indices", "target_indices", "offsets", "boundaries_index", "input_lengths", "target_lengths", "repeats", "lengths"}
_SIZES = {"size", "shape", "sizes"}
_SPECIAL = {
    "equation": ["'ij->i'"],
    "mode": ["'bilinear'", "'reflect'"],
    "reduce": ["'sum'", "'mean'"],
    "ord": ["2"],
    "n_fft": ["3"],
    "rounding_mode": ["'floor'"],
    "fill_value": ["1", "0.5"],
    "dim0": ["0"], "dim1": ["1"], "axis0": ["0"], "axis1": ["1"], "source": ["0"], "destination": ["1"],
    "num_classes": ["5"],
    "split_size_or_sections": ["1"], "split_size": ["1"],
    "data": ["[1.0, 2.0]", "a0"], "obj": ["[1.0, 2.0]", "a0"],
    "size": ["[3]", "[3, 3]", "[3, 3, 3]", "[-1]", "[-1, 1]"],
    "shape": ["[3]", "[3, 3]", "[-1]", "[-1, 1]", "[3, 3, 3]"],
    "sizes": ["[3, 1]", "[3]", "[1, 3, 1]"],
    "dims": ["[0, 1]", "[0]", "[1, 0]", "1"],
    "pad": ["[1, 1]"],
    "p": ["2", "0.5"],
}  # fmt: skip
"""Arguments of parameters that take more than any value of their kind."""
_BY_KIND = {
    "i": ["0", "1", "2", "3"], "n": ["1", "0.5"], "b": ["False", "True"], "s": ["'sum'", "'mean'"], "d": ["torch.float32", "torch.int64"], "v": ["'cpu'"],
    "y": ["torch.strided"], "m": ["torch.contiguous_format"], "l": ["[0]", "[1]", "[0, 1]"], "x": ["1", "a0", "[1]", "[a0, a0]"], "g": ["None"],
}  # fmt: skip
_LIMIT = 24
"""Combinations of arguments tried with one set of tensors."""


@dataclass
class Trial:
    """One call: its expression, the tensors and numbers in it, how many sizes it names and how many dimensions it reduces."""

    expression: str
    tensors: list[Any]
    numbers: list[float]
    sizes: int | None = None
    reduced: int = 1


def tensor_of(dtype: str, rank: int) -> Any:
    """A small tensor: floats between 0 and 1 whose matrices are positive definite; ints from 0 to 2."""
    import torch

    shape = (3,) * rank
    count = 3**rank
    if dtype == "int64":
        return (torch.arange(count) % 3).reshape(shape)
    if dtype == "bool":
        return (torch.arange(count) % 2 == 0).reshape(shape)
    if rank >= 2:
        return (0.1 + 0.5 * torch.eye(3)).expand(shape).contiguous()
    return (0.1 + 0.2 * torch.arange(count)).reshape(shape)


def trials(call: str, signature: Signature, method: bool) -> Iterator[list[Trial]]:
    """For each choice of tensors, the calls to try until one works. The first choices are the most usual ones."""
    choices = [("float32", 2), ("float32", 1), ("float32", 3), ("int64", 2), ("bool", 2), ("int64", 1), ("float32", 4), ("float32", 0), ("int64", 0)]
    for dtype, rank in choices:
        for second in (None, ("float32", rank + 1), ("int64", rank)):
            found = _calls(call, signature, method, (dtype, rank), second)
            if second is not None and (not found or len(found[0].tensors) < 2):
                continue
            yield found


def _calls(call: str, signature: Signature, method: bool, first: tuple[str, int], second: tuple[str, int] | None) -> list[Trial]:
    tensors: list[Any] = []

    def another(name: str) -> str:
        if name in _INDICES:
            tensors.append(tensor_of("int64", first[1]))
        elif name in _MASKS:
            tensors.append(tensor_of("bool", first[1]))
        else:
            dtype, rank = first if not tensors or second is None else second
            tensors.append(tensor_of(dtype, rank))
        return f"a{len(tensors) - 1}"

    receiver = another("self") + "." if method else ""
    options: list[tuple[Parameter, list[str]]] = []
    for parameter in signature.parameters:
        if parameter.optional and not parameter.variadic:
            continue
        options.append((parameter, _options(parameter, another)))
    if any(not values for _, values in options):
        return []
    found = []
    for combination in _combinations([values for _, values in options]):
        parts = [
            f"{p.name}={v}" if p.keyword_only else f"*{v}" if p.variadic and v.startswith("[") else v for (p, _), v in zip(options, combination)
        ]
        lengths = {p.name: v.count(",") + 1 for (p, _), v in zip(options, combination) if v.startswith("[")}
        numbers = [float(v) for (p, _), v in zip(options, combination) if "n" in p.kind and v.replace(".", "").isdigit()]
        sizes = next((lengths[name] for name in lengths if name in _SIZES), None)
        found.append(Trial(f"{receiver}{call}({', '.join(parts)})", tensors, numbers, sizes, lengths.get("dim", lengths.get("axis", 1))))
    return found


def _options(parameter: Parameter, another: Any) -> list[str]:
    if parameter.kind in ("True", "False"):
        return [parameter.kind]
    if parameter.variadic:
        if "t" in parameter.kind or "L" in parameter.kind:
            return [f"[{another(parameter.name)}, {another(parameter.name)}]"]
        if parameter.name in ("dims", "size", "shape", "sizes"):
            return [v for v in _SPECIAL[parameter.name] if v.startswith("[")]
        return ["[0]", "[1, 1]"] if "i" in parameter.kind else []
    if parameter.name in _SPECIAL and "t" not in parameter.kind:
        return [v for v in _SPECIAL[parameter.name] if parameter.kind != "l" or v.startswith("[")]
    if parameter.kind.startswith("t"):
        return [another(parameter.name)]
    if parameter.kind.startswith("L"):
        return [f"[{another(parameter.name)}, {another(parameter.name)}]"]
    return [value for letter in parameter.kind for value in _BY_KIND.get(letter, [])]


def _combinations(options: list[list[str]]) -> list[list[str]]:
    """Every option once beside the first of the others, then all pairs, up to a limit."""
    if not options:
        return [[]]
    found = [[values[0] for values in options]]
    longest = max(len(values) for values in options)
    for turn in range(1, longest):
        found.append([values[min(turn, len(values) - 1)] for values in options])
        for index, values in enumerate(options):
            if turn < len(values):
                found.append([value if other != index else values[turn] for other, value in enumerate(v[0] for v in options)])
    return found[:_LIMIT]
