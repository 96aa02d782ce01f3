"""What calls return, observed: the result of every trial, condensed to one code.

A code claims only what held in every trial that ran; README.md beside this package lists the codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

_CATEGORIES = {"bool": "b", "float32": "f", "float64": "f", "float16": "f", "bfloat16": "f", "complex64": "c", "complex128": "c"}


@dataclass
class Observation:
    """One call that ran: what it returned, the dtypes and ranks of its tensors, and how many sizes it was told."""

    value: Any
    dtypes: list[str]
    ranks: list[int]
    promoted: str = ""
    sizes: int | None = None
    reduced: int = 1
    members: list[Observation] = field(default_factory=list)


def category(dtype: Any) -> str:
    """The letter of a dtype: b, i, f or c."""
    return _CATEGORIES.get(str(dtype).removeprefix("torch."), "i")


def result_code(observations: Sequence[Observation], annotation: str) -> str:
    """The code of a form, from all its trials; from its annotation when none ran."""
    import torch

    if not observations:
        return annotated_code(annotation)
    codes = {_plain_code(o.value) for o in observations}
    if len(codes) > 1:
        return "?"
    code = codes.pop()
    if code == "T":
        return "T" + _dtype_letter(observations) + _rank_sign(observations)
    if code == "()":
        lists = {isinstance(o.value, list) for o in observations}
        lengths = {len(o.value) for o in observations}
        named = all(type(o.value).__module__ == "torch.return_types" for o in observations)
        if named or (len(lengths) == 1 and "..." not in annotation and lists == {False}):
            return "(" + ",".join(_member_code(observations, index) for index in range(lengths.pop())) + ")"
        inner = {_plain_code(item) for o in observations for item in o.value}
        if inner == {"T"}:
            return "[" + _member_code([o for o in observations if o.value], 0) + "]"
        return "[?]"
    return "M" if isinstance(observations[0].value, torch.nn.Module) else code


def annotated_code(annotation: str) -> str:
    """The code of an annotation."""
    text = annotation.replace("torch.", "").replace("typing.", "").strip()
    known = {
        "Tensor": "T", "None": "N", "_bool": "b", "bool": "b", "_int": "S", "int": "S", "_float": "n", "float": "n", "str": "s", "_dtype": "dt",
        "dtype": "dt", "Self": "T", "numpy.ndarray": "A", "Size": "Z", "Number": "n", "list": "[?]", "tuple[Tensor, ...]": "[T]",
        "list[Tensor]": "[T]", "Sequence[Tensor]": "[T]", "_device": "dev", "device": "dev", "tuple[_int, ...]": "Z", "_int | SymInt": "S",
    }  # fmt: skip
    if text in known:
        return known[text]
    if text.startswith("tuple[") and "..." not in text:
        members = [annotated_code(part.strip()) for part in text[6:-1].split(",")]
        return "(" + ",".join(members) + ")" if all(member != "?" for member in members) else "?"
    if text.startswith("return_types."):
        import torch

        return "(" + ",".join("T" for _ in range(getattr(torch.return_types, text[13:]).n_fields)) + ")"
    return "?"


def _plain_code(value: Any) -> str:
    import torch

    if isinstance(value, torch.Tensor):
        return "T"
    if isinstance(value, torch.Size):
        return "Z"
    if isinstance(value, (tuple, list)):
        return "()"
    if type(value).__module__ == "numpy":
        return "A" if type(value).__name__ == "ndarray" else "A0"
    kinds = ((bool, "b"), (int, "S"), (float, "n"), (complex, "n"), (str, "s"), (torch.dtype, "dt"), (torch.device, "dev"), (type(None), "N"))
    return next((code for kind, code in kinds if isinstance(value, kind)), "?")


def _member_code(observations: Sequence[Observation], index: int) -> str:
    members = [Observation(o.value[index], o.dtypes, o.ranks, o.promoted, o.sizes, o.reduced) for o in observations if len(o.value) > index]
    return result_code(members, "")


def _dtype_letter(observations: Sequence[Observation]) -> str:
    out = [category(o.value.dtype) for o in observations]
    given = [[category(d) for d in o.dtypes] for o in observations]
    if not all(given):
        return out[0] if len(set(out)) == 1 and not any(given) else ""
    firsts = [kinds[0] for kinds in given]
    if len(set(out)) == 1 and (len(set(firsts)) > 1 or out[0] != firsts[0]):
        return out[0]
    if all(str(o.value.dtype).removeprefix("torch.") == o.dtypes[0] for o in observations):
        return "=" if len(set(firsts)) > 1 else out[0]
    if all(o.promoted and str(o.value.dtype) == o.promoted for o in observations):
        return "p"
    if all(kind == (first if first != "b" else "i") for kind, first in zip(out, firsts)):
        return "+"
    return ""


def _rank_sign(observations: Sequence[Observation]) -> str:
    out = [o.value.dim() for o in observations]
    if all(o.sizes is not None for o in observations) and len(set(out)) > 1:
        return "#" if all(rank == o.sizes for rank, o in zip(out, observations)) else ""
    usual = [(rank, o) for rank, o in zip(out, observations) if o.ranks and min(o.ranks) > 0] or [(r, o) for r, o in zip(out, observations) if o.ranks]
    if not usual:
        return str(out[0]) if len(set(out)) == 1 and all(o.sizes is None for o in observations) else ""
    varied = len({o.ranks[0] for _, o in usual}) > 1
    if len({rank for rank, _ in usual}) == 1 and (varied or usual[0][0] == 0):
        return str(usual[0][0])
    if not varied:
        return ""
    tests: Iterable[tuple[str, Any]] = (
        ("~", lambda o: o.ranks[0]),
        ("^", lambda o: max(o.ranks)),
        ("<", lambda o: o.ranks[0] - o.reduced),
        (">", lambda o: o.ranks[0] + 1),
    )
    return next((sign for sign, wanted in tests if all(rank == wanted(o) for rank, o in usual)), "")
