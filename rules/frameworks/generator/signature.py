"""Signatures of callables, in the notation of the tables.

A signature is written as its parameters in order, ``input:t dim:i keepdim:b? * out:t?``; README.md beside this package explains it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_WORDS = {
    "Tensor": "t", "Parameter": "t", "_int": "i", "int": "i", "SymInt": "i", "_float": "n", "float": "n", "Number": "n", "_complex": "n", "number": "n",
    "SymFloat": "n", "complex": "n", "_bool": "b", "bool": "b", "str": "s", "_dtype": "d", "dtype": "d", "DeviceLikeType": "v", "_device": "v",
    "device": "v", "_layout": "y", "layout": "y", "memory_format": "m", "Generator": "g", "_size": "l", "_symsize": "l", "_size_any_t": "il",
    "_size_1_t": "il", "_size_2_t": "il", "_size_3_t": "il", "_size_2_opt_t": "il", "_size_3_opt_t": "il", "_ratio_any_t": "n", "Size": "l",
}  # fmt: skip
_NAMED = {
    "input": "t", "other": "t", "tensor": "t", "x1": "t", "x2": "t", "a": "t", "b": "t", "A": "t", "B": "t", "tensors": "L", "dim": "il", "dims": "il",
    "axis": "il", "p": "n", "keepdim": "b", "dtype": "d", "device": "v", "out": "t", "weight": "t", "bias": "t", "target": "t", "size": "l",
}  # fmt: skip
"""Kinds of parameters that carry no annotation."""


@dataclass(frozen=True)
class Parameter:
    """A parameter: its kind is one letter for each kind of argument that it takes, or the constant that it must be given."""

    name: str
    kind: str
    optional: bool = False
    keyword_only: bool = False
    variadic: bool = False

    def __str__(self) -> str:
        return f"{'*' * self.variadic}{self.name}:{self.kind}{'?' * self.optional}"


@dataclass(frozen=True)
class Signature:
    """The parameters of one form of a callable, and what its annotation says that it returns ("" when it says nothing)."""

    parameters: tuple[Parameter, ...]
    returns: str = ""

    def __str__(self) -> str:
        parts: list[str] = []
        starred = False
        for parameter in self.parameters:
            if parameter.keyword_only and not starred:
                parts.append("*")
            starred = starred or parameter.keyword_only or parameter.variadic
            parts.append(str(parameter))
        return " ".join(parts)

    @classmethod
    def parse(cls, text: str, returns: str = "") -> Signature:
        """Read the notation of the tables."""
        parameters: list[Parameter] = []
        keyword_only = False
        for part in text.split():
            if part == "*":
                keyword_only = True
                continue
            name, _, kind = part.partition(":")
            parameters.append(Parameter(name.lstrip("*"), kind.rstrip("?") or "x", kind.endswith("?"), keyword_only, name.startswith("*")))
            keyword_only = keyword_only or name.startswith("*")
        return cls(tuple(parameters), returns)


def kind_of(annotation: str) -> str:
    """The kinds of arguments that an annotation allows."""
    text = annotation.replace("torch.", "").replace("typing.", "").replace("types.", "")
    if text.startswith("Literal["):
        return text[8:-1].strip("'\"") if text[8:-1] in ("True", "False") else "s"
    if text.startswith("Optional["):
        return kind_of(text[9:-1])
    letters: list[str] = []
    for part in _alternatives(text):
        if "Tensor" in part and part != "Tensor":
            letter = "L"
        elif part.startswith(("Sequence[", "list[", "tuple[", "List[", "Tuple[")):
            letter = "l" if "int" in part.lower() else "x"
        else:
            letter = _WORDS.get(part, "" if part == "None" else "x")
        letters.extend(one for one in letter if one not in letters)
    return "".join(letters) or "x"


def _alternatives(text: str) -> Iterator[str]:
    """The members of a union, not looking into brackets."""
    depth = start = 0
    for position, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and depth == 0:
            yield text[start:position].strip()
            start = position + 1
    yield text[start:].strip()


def of_stub(node: ast.FunctionDef, method: bool = False) -> Signature:
    """The signature of a definition in a stub file; a method's without its receiver."""
    found: list[Parameter] = []
    positional = [*node.args.posonlyargs, *node.args.args][1 if method else 0 :]
    given = len(positional) - len(node.args.defaults)
    for index, argument in enumerate(positional):
        found.append(Parameter(argument.arg, _annotated(argument), index >= given))
    if node.args.vararg is not None:
        found.append(Parameter(node.args.vararg.arg, _annotated(node.args.vararg), True, variadic=True))
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults):
        found.append(Parameter(argument.arg, _annotated(argument), default is not None, True))
    return Signature(tuple(found), ast.unparse(node.returns) if node.returns is not None else "")


def _annotated(argument: ast.arg) -> str:
    return kind_of(ast.unparse(argument.annotation)) if argument.annotation is not None else _NAMED.get(argument.arg, "x")


def of_callable(function: Callable[..., Any], method: bool = False) -> Signature | None:
    """The signature of a function written in Python; None when it has none of use."""
    try:
        known = inspect.signature(function)
    except (ValueError, TypeError):
        return None
    found: list[Parameter] = []
    parameters = list(known.parameters.values())[1 if method else 0 :]
    if [p.kind for p in parameters] == [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]:
        return None
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        found.append(
            Parameter(
                parameter.name,
                _kind_of_parameter(parameter),
                parameter.default is not inspect.Parameter.empty or parameter.kind is inspect.Parameter.VAR_POSITIONAL,
                parameter.kind is inspect.Parameter.KEYWORD_ONLY,
                parameter.kind is inspect.Parameter.VAR_POSITIONAL,
            )
        )
    annotation = known.return_annotation
    return Signature(tuple(found), "" if annotation is inspect.Signature.empty else _shown(annotation))


def _kind_of_parameter(parameter: inspect.Parameter) -> str:
    if parameter.annotation is not inspect.Parameter.empty:
        return kind_of(_shown(parameter.annotation))
    if isinstance(parameter.default, bool):
        return "b"
    if parameter.name in _NAMED:
        return "t" if parameter.name == "tensors" and parameter.kind is inspect.Parameter.VAR_POSITIONAL else _NAMED[parameter.name]
    return {int: "i", float: "n", str: "s"}.get(type(parameter.default), "x")


def _shown(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if inspect.isclass(annotation) and not getattr(annotation, "__args__", None):
        return annotation.__name__
    return str(annotation).replace("NoneType", "None")
