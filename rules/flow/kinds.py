"""Which class a value belongs to, as far as tracing can tell."""

from __future__ import annotations

from .classes import ancestry
from .values import (
    Array,
    BoundMethod,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    Partial,
    Scalar,
    Sequence,
    Tensor,
    Unknown,
    Value,
    type_name,
)

from .tensorflow.values import TFTensor

TENSOR_CLASSES = {
    "torch.Tensor": "",
    "torch.FloatTensor": "float",
    "torch.HalfTensor": "float",
    "torch.DoubleTensor": "float",
    "torch.LongTensor": "int",
    "torch.IntTensor": "int",
    "torch.ByteTensor": "int",
    "torch.BoolTensor": "bool",
    "torch.autograd.Variable": "",
}
"""Classes of tensors by name, with the dtype that they promise."""

_SEQUENCE_KINDS = {
    "list": ("list",),
    "tuple": ("tuple", "size", "namedtuple"),
    "set": ("set",),
    "frozenset": ("set",),
}
_COLLECTIONS = {
    "collections.abc.Sequence": ("list", "tuple", "size", "namedtuple", "range"),
    "collections.abc.Iterable": ("list", "tuple", "size", "set", "namedtuple", "range", "iterator", "deque"),
    "typing.Sequence": ("list", "tuple", "size", "namedtuple", "range"),
    "typing.Iterable": ("list", "tuple", "size", "set", "namedtuple", "range", "iterator", "deque"),
    "collections.deque": ("deque",),
}
_MAPPING_KINDS = {"builtins.dict", "collections.abc.Mapping", "typing.Mapping", "collections.abc.MutableMapping", "collections.OrderedDict"}
_SCALARS = {"int": {"int", "bool"}, "float": {"float"}, "bool": {"bool"}, "str": {"str"}}
_NUMBERS = {"numbers.Number": {"int", "float", "bool"}, "numbers.Integral": {"int", "bool"}, "numbers.Real": {"int", "float", "bool"}}


def is_kind(value: Value, kind: Value) -> bool | None:
    """Whether a value is an instance of a class; None when that is not known."""
    if isinstance(value, Unknown):
        return None
    if isinstance(kind, Class):
        if isinstance(value, Instance):
            return True if kind in ancestry(value.cls) else (None if _below(kind, value.cls) else False)
        return None if isinstance(value, Mapping) and value.kind != "dict" else False
    if not isinstance(kind, External):
        return None
    name = kind.name
    short = name.removeprefix("builtins.")
    if isinstance(value, TFTensor):
        return _is_tf_kind(value, name)
    if isinstance(value, Tensor):
        if name == "torch.Tensor" or name == "torch.is_tensor":
            return True
        if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            return True if value.grad == "leaf" else None
        return None if name.startswith(("torch", "typing")) and "nn." not in name else False
    if isinstance(value, Array):
        return True if name == "numpy.ndarray" and not value.scalar else None if name.startswith("numpy.") else False
    if isinstance(value, (Scalar, Const)):
        actual = type_name(value)
        if actual == "NoneType":
            return False
        accepted = _SCALARS.get(short) or _NUMBERS.get(name)
        if accepted is not None:
            return None if actual == "" else actual in accepted
        return None if isinstance(value, Scalar) and value.type == "" and not _is_module(name) else False
    if isinstance(value, Sequence):
        accepted_kinds = _SEQUENCE_KINDS.get(short) or _COLLECTIONS.get(name)
        if accepted_kinds is not None:
            return value.kind in accepted_kinds
        return None if name.startswith("typing.") or name == "torch.Size" else False
    if isinstance(value, Mapping):
        return bool(name in _MAPPING_KINDS or (name.startswith("collections") and "dict" in name.lower()))
    if isinstance(value, Instance):
        family = ancestry(value.cls)
        if any(isinstance(c, External) and same_class(c.name, name) for c in family):
            return True
        if name == "torch.nn.Module" and any(isinstance(c, External) and _is_module(c.name) for c in family):
            return True
        if any(isinstance(c, External) and c.name not in ("builtins.object", "abc.ABC", "torch.nn.Module") for c in family):
            return None
        return False
    if isinstance(value, External):
        return None
    if isinstance(value, (Function, BoundMethod, Method, Partial)):
        return None if "Callable" in name or "Function" in name else False
    return None


def _is_tf_kind(value: TFTensor, name: str) -> bool | None:
    short = name.rpartition(".")[2]
    if not name.startswith(("tensorflow", "keras")):
        return False if name.startswith(("builtins.", "numpy.", "torch.", "collections.")) else None
    kind = {"Tensor": "tensor", "Variable": "variable", "RaggedTensor": "ragged", "SparseTensor": "sparse", "KerasTensor": "symbolic"}.get(short)
    if kind is None:
        return None
    if value.likely:
        return None
    return kind == value.kind


def same_class(a: str, b: str) -> bool:
    """Whether two dotted names mean one class (``torch.nn.modules.linear.Linear`` is ``torch.nn.Linear``)."""
    return a == b or (a.startswith("torch.") and b.startswith("torch.") and a.rpartition(".")[2] == b.rpartition(".")[2])


def _is_module(name: str) -> bool:
    return name.startswith("torch.nn.") and not name.startswith(("torch.nn.functional", "torch.nn.init", "torch.nn.utils"))


def _below(kind: Class, cls: Value) -> bool:
    """Whether ``kind`` is a subclass of ``cls``, so that an instance of ``cls`` may be one of ``kind``."""
    return isinstance(cls, Class) and cls in ancestry(kind)
