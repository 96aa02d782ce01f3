"""Expressions that may be left out when nobody needs their value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..flow.values import Const, Mapping, Scalar, Sequence, Tensor, Value
from .context import FixContext
from .naming import dotted, is_free

_READING = {"abs", "bool", "float", "format", "getattr", "hasattr", "id", "int", "isinstance", "len", "range", "repr", "round", "str", "type"}
_DRAINING = {"any", "all", "dict", "enumerate", "list", "max", "min", "set", "sorted", "sum", "tuple", "zip"}
"""Built-in functions that use up an iterator."""
_FUNCTIONS = {
    *(f"torch.{name}" for name in ("abs", "all", "allclose", "any", "argmax", "argmin", "count_nonzero", "equal", "is_grad_enabled", "is_tensor")),
    *(f"torch.{name}" for name in ("isclose", "isfinite", "isinf", "isnan", "max", "mean", "min", "norm", "numel", "std", "sum", "unique", "var")),
    *("torch.cuda.max_memory_allocated", "torch.cuda.memory_allocated", "torch.linalg.norm"),
    *("time.monotonic", "time.perf_counter", "time.time"),
}
_DRAWING = {"backward", "bernoulli", "multinomial", "register_hook", "register_post_accumulate_grad_hook", "retain_grad"}
"""Methods of tensors that draw random numbers or leave something behind, beside those that end in ``_``."""
_LOOKING = {"copy", "count", "format", "get", "index", "items", "join", "keys", "lower", "strip", "title", "upper", "values"}
"""Methods of strings, lists and dictionaries that change nothing."""


def effect(call: ast.Call, context: FixContext) -> ast.expr | None:
    """The first part of a call's arguments that is not known to be without effect."""
    return next((node for argument in (*call.args, *(k.value for k in call.keywords)) for node in _effects(argument, context)), None)


def _effects(argument: ast.expr, context: FixContext) -> Iterator[ast.expr]:
    for node in ast.walk(argument):
        if isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) or (isinstance(node, ast.Call) and not _harmless(node, context)):
            yield node
        elif isinstance(node, ast.Starred) and not _lasts(context.value(node.value)):
            yield node
        elif isinstance(node, ast.comprehension) and not _may_drain(node.iter, context):
            yield node.iter


def _harmless(call: ast.Call, context: FixContext) -> bool:
    function = call.func
    if isinstance(function, ast.Name) and is_free(function.id, context):
        return function.id in _READING or (function.id in _DRAINING and all(_may_drain(argument, context) for argument in call.args))
    if dotted(function, context) in _FUNCTIONS:
        return not any(keyword.arg == "out" for keyword in call.keywords)
    if not isinstance(function, ast.Attribute):
        return False
    owner = context.value(function.value)
    if isinstance(owner, Tensor):
        return not function.attr.endswith("_") and function.attr not in _DRAWING
    literal = isinstance(function.value, (ast.Constant, ast.JoinedStr))
    return function.attr in _LOOKING and (literal or isinstance(owner, (Const, Mapping, Scalar)) or _lasts(owner))


def _may_drain(argument: ast.expr, context: FixContext) -> bool:
    """Whether a function may go through the argument without a trace; what a harmless call or comprehension makes is nobody else's."""
    made = isinstance(argument, (ast.Call, ast.GeneratorExp, ast.ListComp, ast.List, ast.Tuple))
    return made or _lasts(context.value(argument))


def _lasts(value: Value) -> bool:
    """Whether a value can be gone through again."""
    return isinstance(value, (Const, Mapping, Scalar, Tensor)) or (isinstance(value, Sequence) and value.kind in ("list", "namedtuple", "range", "set", "size", "tuple"))
