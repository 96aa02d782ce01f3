"""Operators: the result of arithmetic and comparison."""

from __future__ import annotations

import ast
import operator as python_operator
from typing import Any

from .frame import Frame
from .values import (
    Class,
    DATA,
    SHAPE,
    STATIC,
    STATIC_BOOL,
    STATIC_STR,
    UNKNOWN,
    Array,
    Const,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Union,
    Value,
    Why,
    join_all,
    origin_of,
    tensor_in,
    type_name,
)

_PYTHON: dict[str, Any] = {
    "Add": python_operator.add,
    "Sub": python_operator.sub,
    "Mult": python_operator.mul,
    "Div": python_operator.truediv,
    "FloorDiv": python_operator.floordiv,
    "Mod": python_operator.mod,
    "BitAnd": python_operator.and_,
    "BitOr": python_operator.or_,
    "BitXor": python_operator.xor,
}
_COMPARISONS: dict[str, Any] = {
    "Eq": python_operator.eq,
    "NotEq": python_operator.ne,
    "Lt": python_operator.lt,
    "LtE": python_operator.le,
    "Gt": python_operator.gt,
    "GtE": python_operator.ge,
    "In": lambda a, b: a in b,
    "NotIn": lambda a, b: a not in b,
}
_ORDER = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_SPECIAL = {"Add": "__add__", "Sub": "__sub__", "Mult": "__mul__", "Div": "__truediv__", "MatMult": "__matmul__", "BitOr": "__or__"}


def promoted(a: str, b: str) -> str:
    """The dtype class of an operation on two, "" when either is not known."""
    if not a or not b:
        return "float" if "float" in (a, b) else ""
    return a if _ORDER.get(a, 0) >= _ORDER.get(b, 0) else b


def binary(name: str, left: Value, right: Value, frame: Frame, node: ast.AST) -> Value:
    """The value of ``left <operator> right``."""
    if isinstance(left, Const) and isinstance(right, Const):
        return _folded(_PYTHON, name, left, right)
    if tf_tensor_in(left) is not None or tf_tensor_in(right) is not None:
        result = members.binary(name, left, right, Why("the result of an operator", frame.module.shown, getattr(node, "lineno", 0)))
        return _perhaps(result, left, right)
    tensor, other = (left, right) if isinstance(left, Tensor) else (right, left)
    if isinstance(tensor, Tensor):
        return _with_tensor(name, tensor, other)
    if isinstance(left, Array) or isinstance(right, Array):
        a = left if isinstance(left, Array) else right
        assert isinstance(a, Array)
        return Array(a.dtype, a.scalar, all(v.constant for v in (left, right) if isinstance(v, Array)))
    if isinstance(left, (Scalar, Const)) and isinstance(right, (Scalar, Const)):
        return _scalars(name, left, right)
    if isinstance(left, Sequence) and name == "Add" and isinstance(right, Sequence):
        if left.elements is not None and right.elements is not None:
            return Sequence(left.kind, [*left.elements, *right.elements])
        return Sequence(left.kind, None, join_all([left.any(), right.any()]))
    if isinstance(left, Sequence) and name == "Mult":
        if left.elements is not None and isinstance(right, Const) and isinstance(right.value, int) and right.value * len(left.elements) < 64:
            return Sequence(left.kind, left.elements * right.value)
        return Sequence(left.kind, None, left.any())
    if isinstance(left, Instance) and not isinstance(left.cls, Instance) and name in _SPECIAL:
        if isinstance(left.cls, Class):
            found = frame.engine.member(left.cls, _SPECIAL[name])
            if found is not None:
                return calls.call(found[2], binding.Arguments([left, right]), frame, node)
    if isinstance(left, Union) or isinstance(right, Union):
        tensor_part = tensor_in(left) or tensor_in(right)
        if tensor_part is not None:
            result = _with_tensor(name, tensor_part, right if tensor_in(left) is tensor_part else left)
            return _perhaps(result, left, right)
    if isinstance(left, (Mapping,)) and name == "BitOr" and isinstance(right, Mapping):
        return Mapping({**left.entries, **right.entries}, left.other or right.other, left.kind)
    if type_of_text(left):
        return STATIC_STR
    return UNKNOWN


def _perhaps(result: Value, left: Value, right: Value) -> Value:
    """The result of an operation of which an operand may be a tensor: one only if a tensor was sure to be there."""
    if not isinstance(result, Tensor):
        return result
    for value in (left, right):
        if isinstance(value, Tensor):
            return result
        if isinstance(value, Union) and all(isinstance(m, Tensor) or (isinstance(m, Const) and m.value is None) for m in value.members):
            return result
    return Union((UNKNOWN, result.replace(likely=True)))


def type_of_text(value: Value) -> bool:
    """Whether a value is a Python string."""
    return isinstance(value, (Scalar, Const)) and type_name(value) == "str"


def _with_tensor(name: str, tensor: Tensor, other: Value) -> Value:
    if isinstance(other, Tensor):
        dtype = promoted(tensor.dtype, other.dtype)
        rank = max(tensor.rank, other.rank) if tensor.rank is not None and other.rank is not None else None
        likely = tensor.likely and other.likely
        layout = tensor.layout if tensor.layout == other.layout else "strided"
        why = tensor.why if not tensor.likely else other.why
    else:
        likely, layout, why, rank = tensor.likely, tensor.layout, tensor.why, tensor.rank
        kind = type_name(other) if isinstance(other, (Scalar, Const)) else ""
        dtype = promoted(tensor.dtype, kind) if kind in _ORDER else tensor.dtype if tensor.dtype == "float" else ""
        if isinstance(other, Const) and isinstance(other.value, str):
            return UNKNOWN
    if name == "Div" and dtype in ("int", "bool"):
        dtype = "float"
    if name == "MatMult":
        rank = None
        if isinstance(other, Tensor) and tensor.rank == other.rank == 2:
            rank = 2
    return Tensor(dtype, rank, why, likely, layout=layout)


def _scalars(name: str, left: Scalar | Const, right: Scalar | Const) -> Value:
    origin = max((origin_of(left), origin_of(right)), key={STATIC: 0, SHAPE: 1, DATA: 2}.__getitem__)
    a, b = type_name(left), type_name(right)
    if a == "str":
        return STATIC_STR
    if not a or not b:
        return Scalar("", origin)
    result = "float" if name == "Div" and "complex" not in (a, b) else promoted(a, b) if a in _ORDER and b in _ORDER else ""
    return Scalar("int" if result == "bool" else result, origin)


def _folded(table: dict[str, Any], name: str, left: Const, right: Const) -> Value:
    function = table.get(name)
    small = not any(isinstance(v.value, str) and len(v.value) > 1000 for v in (left, right))
    if function is not None and small:
        if name == "Mult" and isinstance(left.value, (str, bytes)):
            return STATIC_STR
        try:
            return Const(function(left.value, right.value))
        except Exception:
            return UNKNOWN
    return _scalars(name, left, right)


def compared(name: str, left: Value, right: Value) -> Value:
    """The value of a comparison."""
    if isinstance(left, Const) and isinstance(right, Const):
        return _folded(_COMPARISONS, name, left, right)
    if name in ("In", "NotIn"):
        return _membership(name, left, right)
    if tf_tensor_in(left) is not None or tf_tensor_in(right) is not None:
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Const) and (other.value is None or isinstance(other.value, str)) and tf_tensor_in(one) is not None:
                known = isinstance(one, Tensor) and other.value is None
                return Const(name == "NotEq") if known else STATIC_BOOL
        return _perhaps(members.compared(left, right, Why("a comparison of tensors")), left, right)
    for one, other in ((left, right), (right, left)):
        tensor = tensor_in(one)
        if tensor is not None:
            if isinstance(other, Const) and (other.value is None or isinstance(other.value, str)):
                return Const(name == "NotEq") if isinstance(one, Tensor) else STATIC_BOOL
            result = _with_tensor(name, tensor, other)
            if isinstance(result, Tensor):
                compared_tensor = Tensor("bool", result.rank, result.why or Why("a comparison of tensors"), result.likely)
                return _perhaps(compared_tensor, left, right)
    if isinstance(left, Array) or isinstance(right, Array):
        constant = all(v.constant for v in (left, right) if isinstance(v, Array))
        return Array("bool", all(v.scalar for v in (left, right) if isinstance(v, Array)), constant)
    if isinstance(left, (Scalar, Const)) and isinstance(right, (Scalar, Const)):
        origin = max((origin_of(left), origin_of(right)), key={STATIC: 0, SHAPE: 1, DATA: 2}.__getitem__)
        if isinstance(right, Const) and right.value is None:
            return Const(name == "NotEq")
        a, b = type_name(left), type_name(right)
        if {a, b} == {"str", "int"}:
            return Const(name == "NotEq") if name in ("Eq", "NotEq") else STATIC_BOOL
        return Scalar("bool", origin)
    if isinstance(right, Const) and right.value is None and isinstance(left, (Sequence, Mapping, Instance)):
        return Const(name == "NotEq")
    return UNKNOWN if UNKNOWN in (left, right) else STATIC_BOOL


def _membership(name: str, left: Value, right: Value) -> Value:
    if isinstance(right, Mapping) and isinstance(left, Const) and right.other is None:
        try:
            return Const((left.value in right.entries) is (name == "In"))
        except TypeError:
            return STATIC_BOOL
    if isinstance(right, Sequence) and right.elements is not None and isinstance(left, Const):
        if all(isinstance(e, Const) for e in right.elements):
            return Const(any(isinstance(e, Const) and e.value == left.value for e in right.elements) is (name == "In"))
    return STATIC_BOOL


from . import binding, calls  # noqa: E402
from .tensorflow import members  # noqa: E402
from .tensorflow.values import tf_tensor_in  # noqa: E402  (these call back into this module)
