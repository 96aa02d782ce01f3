"""Abstract values: what the analyzer knows about a Python value while its function is being captured.

A value is compared by its :meth:`Value.key`, which leaves out where it came from. ``Unknown`` stays unknown: no rule of severity
``break`` rests on it.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..index.module import Module
    from .capture import Capture

STATIC, SHAPE, DATA = "static", "shape", "data"
"""Origins of a Python scalar: known while tracing, a symbolic size, or read out of a tensor."""


@dataclass(frozen=True)
class Why:
    """Where a value came from, in the words of a finding's proof."""

    text: str
    path: str = ""
    line: int = 0


class Value:
    """Base of all abstract values."""

    __slots__ = ()

    def key(self) -> Hashable:
        """A hashable that is equal for values which behave alike."""
        return id(self)


class Unknown(Value):
    """A value that nothing is known about."""

    __slots__ = ()

    def key(self) -> Hashable:
        return "?"


UNKNOWN = Unknown()


class Const(Value):
    """A Python constant that is known while tracing."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def key(self) -> Hashable:
        return ("c", self.value.__class__, self.value)


NONE, TRUE, FALSE = Const(None), Const(True), Const(False)


class Scalar(Value):
    """A Python int, float, bool or str (``type``; "" when it is not known which) of which the value is not known.

    ``default`` is the constant that a parameter has when its caller leaves it out.
    """

    __slots__ = ("default", "origin", "type")

    def __init__(self, type: str, origin: str = STATIC, default: Const | None = None) -> None:
        self.type = type
        self.origin = origin
        self.default = default

    def key(self) -> Hashable:
        return ("s", self.type, self.origin)


SIZE = Scalar("int", SHAPE)
STATIC_INT, STATIC_FLOAT, STATIC_BOOL, STATIC_STR, STATIC_ANY = (Scalar(t) for t in ("int", "float", "bool", "str", ""))
DATA_INT, DATA_FLOAT, DATA_BOOL, DATA_ANY = (Scalar(t, DATA) for t in ("int", "float", "bool", ""))


class Tensor(Value):
    """A tensor.

    Attributes:
        dtype: "bool", "int", "float", "complex" or "" when it is not known.
        rank: number of axes, or None.
        why: where it came from.
        likely: believed to be a tensor only because of how it is used.
        nominal: given by the caller of the captured function, not computed in it.
        layout: "strided", "sparse" or "nested".
        grad: "leaf" for a parameter of a module.
    """

    __slots__ = ("dtype", "grad", "layout", "likely", "nominal", "rank", "why")

    def __init__(
        self,
        dtype: str = "",
        rank: int | None = None,
        why: Why | None = None,
        likely: bool = False,
        nominal: bool = False,
        layout: str = "strided",
        grad: str = "",
    ) -> None:
        self.dtype = dtype
        self.rank = rank
        self.why = why
        self.likely = likely
        self.nominal = nominal
        self.layout = layout
        self.grad = grad

    def key(self) -> Hashable:
        return ("t", self.dtype, self.rank, self.likely, self.nominal, self.layout, self.grad)

    def replace(self, **changes: object) -> Tensor:
        """A copy with other attributes."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields.update(changes)
        return Tensor(**fields)

    def joined(self, other: Tensor) -> Tensor:
        """The tensor that covers both."""
        return Tensor(
            self.dtype if self.dtype == other.dtype else "",
            self.rank if self.rank == other.rank else None,
            self.why or other.why,
            self.likely or other.likely,
            self.nominal and other.nominal,
            self.layout if self.layout == other.layout else "strided",
            self.grad if self.grad == other.grad else "",
        )


class Array(Value):
    """A numpy array; ``scalar`` for the numpy scalar that a full reduction gives. ``constant``: made from Python values only."""

    __slots__ = ("constant", "dtype", "scalar")

    def __init__(self, dtype: str = "", scalar: bool = False, constant: bool = False) -> None:
        self.dtype = dtype
        self.scalar = scalar
        self.constant = constant

    def key(self) -> Hashable:
        return ("a", self.dtype, self.scalar, self.constant)


class Sequence(Value):
    """A list, tuple, set, deque, iterator or ``torch.Size``; mutable kinds are updated in place.

    ``elements`` is the exact content, or None when only the join of the elements (``element``) is known.
    """

    __slots__ = ("element", "elements", "kind")

    def __init__(self, kind: str, elements: list[Value] | None = None, element: Value | None = None) -> None:
        self.kind = kind
        self.elements = elements
        self.element = element

    def key(self) -> Hashable:
        if self.elements is not None:
            if len(self.elements) > 12:
                return ("q", self.kind, _key(join_all(self.elements)))
            return ("q", self.kind, tuple(_key(e) for e in self.elements))
        return ("Q", self.kind, _key(self.element))

    def any(self) -> Value:
        """The join of all elements; None-like bottom is Unknown."""
        if self.elements is not None:
            return join_all(self.elements) if self.elements else UNKNOWN
        return self.element if self.element is not None else UNKNOWN

    def forget(self) -> None:
        """Keep only the join of the elements, as after an update at an unknown place."""
        if self.elements is not None:
            self.element = join_all(self.elements) if self.elements else None
            self.elements = None

    def add(self, value: Value) -> bool:
        """Weakly add an element; True if the sequence became wider."""
        self.forget()
        before = self.element
        self.element = value if before is None else join(before, value)
        return before is None or _key(before) != _key(self.element)


class Mapping(Value):
    """A dict, OrderedDict, ``nn.ModuleDict`` ...: known keys, and the join of the values under other keys."""

    __slots__ = ("entries", "kind", "other")

    def __init__(self, entries: dict[Any, Value] | None = None, other: Value | None = None, kind: str = "dict") -> None:
        self.entries: dict[Any, Value] = entries if entries is not None else {}
        self.other = other
        self.kind = kind

    def key(self) -> Hashable:
        if len(self.entries) > 12:
            return ("m", self.kind, len(self.entries), _key(self.any()))
        return ("m", self.kind, tuple((k, _key(v)) for k, v in self.entries.items()), None if self.other is None else _key(self.other))

    def any(self) -> Value:
        """The join of all values."""
        values = [*self.entries.values(), *([self.other] if self.other is not None else [])]
        return join_all(values) if values else UNKNOWN

    def get(self, key: object) -> Value:
        """The value under a known key."""
        if key in self.entries:
            return self.entries[key]
        return self.other if self.other is not None else UNKNOWN

    def put(self, key: Value, value: Value, weak: bool) -> bool:
        """Store under a key that may be known; True if the mapping became wider."""
        if isinstance(key, Const):
            before = self.entries.get(key.value)
            self.entries[key.value] = value if before is None or not weak else join(before, value)
            return before is None or _key(before) != _key(self.entries[key.value])
        before = self.other
        self.other = value if before is None else join(before, value)
        return before is None or _key(before) != _key(self.other)


class Function(Value):
    """A ``def`` or ``lambda`` of the project with the environment it closes over."""

    __slots__ = ("closure", "closure_key", "door", "inner", "module", "node", "options", "owner", "qualname", "traced")

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        module: Module,
        qualname: str,
        owner: Class | None = None,
        closure: dict[str, Value] | None = None,
    ) -> None:
        self.node = node
        self.module = module
        self.qualname = qualname
        self.owner = owner
        self.closure = closure
        self.closure_key: Hashable = None
        self.door: Capture | None = None
        """The capture that calling it enters, whoever calls (``tf.function``, ``tf.custom_gradient``)."""
        self.options: dict[str, Value] = {}
        """What ``tf.function`` was told about it."""
        self.traced = False
        """Whether ``tf.function`` makes a graph of its own of it."""
        self.inner = False
        """Whether it was made while captured code ran, so that what it closes over is local to that code."""

    def behind(self, door: Capture, options: dict[str, Value] | None = None, traced: bool = False) -> Function:
        """The same function, entered by that capture."""
        made = Function(self.node, self.module, self.qualname, self.owner, self.closure)
        made.door = door
        made.options = options or {}
        made.traced = traced
        made.inner = self.inner
        return made

    def key(self) -> Hashable:
        return ("f", id(self.node), id(self.closure) if self.closure else 0, self.door)


class BoundMethod(Value):
    """A callable with its first argument bound."""

    __slots__ = ("function", "receiver")

    def __init__(self, receiver: Value, function: Value) -> None:
        self.receiver = receiver
        self.function = function

    def key(self) -> Hashable:
        return ("b", _key(self.receiver), _key(self.function))


class Method(Value):
    """A method of a built-in kind of value (tensor, array, list, dict, str, external object), by name."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def key(self) -> Hashable:
        return ("d", _key(self.receiver), self.name)


class Partial(Value):
    """``functools.partial`` of a callable."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def key(self) -> Hashable:
        return ("p", _key(self.function), tuple(map(_key, self.args)), tuple((k, _key(v)) for k, v in self.kwargs.items()))


class Class(Value):
    """A class of the project."""

    __slots__ = ("attributes", "bases", "closure", "members", "module", "mro_cache", "name", "node", "qualname")

    def __init__(self, node: ast.ClassDef, module: Module, qualname: str, closure: dict[str, Value] | None = None) -> None:
        self.node = node
        self.module = module
        self.name = node.name
        self.qualname = qualname
        self.closure = closure
        self.bases: list[Value] = []
        self.members: dict[str, ast.stmt] = {}
        self.attributes: dict[str, Value] = {}
        self.mro_cache: list[Value] | None = None

    def key(self) -> Hashable:
        return ("k", id(self.node))


_NUMBERS: dict[Hashable, int] = {}


class Instance(Value):
    """An object of a class of the project, or of an external class (``nn.Linear``); one per class and constructor arguments."""

    __slots__ = ("attributes", "cls", "fresh", "local", "number", "open", "staged")

    def __init__(self, cls: Class | External, identity: Hashable = 0) -> None:
        self.cls = cls
        self.number = _NUMBERS.setdefault((cls.key(), identity), len(_NUMBERS))
        """Equal for objects of one class made with equal arguments; stands for both in keys, which would nest without end."""
        self.attributes: dict[str, Value] = {}
        self.fresh = False
        """Whether each call of a provider of inputs makes another one."""
        self.local = False
        """Whether captured code made it."""
        self.staged = False
        """Whether it was made inside a loop or branch of the graph."""
        self.open = False
        """Whether attributes that nobody was seen to set may exist (an external base class that is not modelled)."""

    def key(self) -> Hashable:
        return ("i", self.number)


class ModuleRef(Value):
    """A module of the project."""

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module

    def key(self) -> Hashable:
        return ("M", self.module.name)


class External(Value):
    """A name that lives outside the project: ``torch.relu``, ``math.sqrt``, a class, a module."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def key(self) -> Hashable:
        return ("e", self.name)


class Union(Value):
    """One of several values."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Value, ...]) -> None:
        self.members = members

    def key(self) -> Hashable:
        return ("u", frozenset(_key(m) for m in self.members))


def _key(value: Value | None) -> Hashable:
    return value.key() if value is not None else None


MAX_MEMBERS = 5


def join(a: Value, b: Value) -> Value:
    """The smallest value that covers both."""
    if a is b:
        return a
    if a is UNKNOWN or b is UNKNOWN:
        return _join_unknown(a, b)
    if a.key() == b.key():
        return a
    members: dict[Hashable, Value] = {}
    for value in (*members_of(a), *members_of(b)):
        if isinstance(value, Unknown):
            return _join_unknown(a, b)
        _add_member(members, value)
    if len(members) == 1:
        return next(iter(members.values()))
    if len(members) > MAX_MEMBERS:
        return UNKNOWN
    return Union(tuple(members.values()))


def _join_unknown(a: Value, b: Value) -> Value:
    """A value that may be anything is unknown; only that it may be a tensor is kept, as a guess."""
    for value in (a, b):
        if isinstance(value, Union) and len(value.members) == 2 and value.members[0] is UNKNOWN:
            return value
    tensor = tensor_in(a) or tensor_in(b)
    return UNKNOWN if tensor is None else Union((UNKNOWN, tensor if tensor.likely else tensor.replace(likely=True)))


def _add_member(members: dict[Hashable, Value], value: Value) -> None:
    slot: Hashable
    if isinstance(value, Tensor):
        slot = "tensor"
        old = members.get(slot)
        if isinstance(old, Tensor):
            value = old.joined(value)
    elif isinstance(value, (Scalar, Const)) and not (isinstance(value, Const) and not isinstance(value.value, (bool, int, float, str))):
        slot = "scalar"
        old = members.get(slot)
        if old is not None:
            value = _join_scalars(old, value)
    elif isinstance(value, Sequence):
        slot = ("seq", value.kind)
        old = members.get(slot)
        if isinstance(old, Sequence) and old is not value:
            value = _join_sequences(old, value)
    elif isinstance(value, Mapping):
        slot = "map"
        old = members.get(slot)
        if isinstance(old, Mapping) and old is not value:
            value = _join_mappings(old, value)
    elif isinstance(value, Array):
        slot = "array"
        old = members.get(slot)
        if isinstance(old, Array):
            value = Array(old.dtype if old.dtype == value.dtype else "", old.scalar and value.scalar, old.constant and value.constant)
    else:
        slot = value.key()
        if slot in members:
            return
    members[slot] = value


_RANK = {STATIC: 0, SHAPE: 1, DATA: 2}


def type_name(value: Scalar | Const) -> str:
    """The name of the Python type of a scalar, "" when it is not known."""
    return value.type if isinstance(value, Scalar) else type(value.value).__name__


def origin_of(value: Value) -> str:
    """The origin of a Python scalar; constants are static."""
    return value.origin if isinstance(value, Scalar) else STATIC


def _join_scalars(a: Value, b: Value) -> Value:
    if a.key() == b.key():
        return a
    assert isinstance(a, (Scalar, Const)) and isinstance(b, (Scalar, Const))
    first, second = type_name(a), type_name(b)
    origin = max(origin_of(a), origin_of(b), key=_RANK.__getitem__)
    return Scalar(first if first == second else "", origin)


def _join_sequences(a: Sequence, b: Sequence) -> Sequence:
    if a.elements is not None and b.elements is not None and len(a.elements) == len(b.elements):
        return Sequence(a.kind, [join(x, y) for x, y in zip(a.elements, b.elements)])
    parts = [v for s in (a, b) for v in (s.elements if s.elements is not None else [s.element] if s.element is not None else [])]
    return Sequence(a.kind, None, join_all(parts) if parts else None)


def _join_mappings(a: Mapping, b: Mapping) -> Mapping:
    entries = {k: join(v, b.entries[k]) if k in b.entries else v for k, v in a.entries.items()}
    entries.update((k, v) for k, v in b.entries.items() if k not in entries)
    other = a.other if b.other is None else b.other if a.other is None else join(a.other, b.other)
    return Mapping(entries, other, a.kind)


def join_all(values: Iterable[Value]) -> Value:
    """The join of at least one value."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result


def members_of(value: Value) -> tuple[Value, ...]:
    """The alternatives of a union, or the value alone."""
    return value.members if isinstance(value, Union) else (value,)


def partly_unknown(value: Value) -> bool:
    """Whether a value is unknown, or may be anything besides what is known of it."""
    return value is UNKNOWN or (isinstance(value, Union) and UNKNOWN in value.members)


def tensor_in(value: Value) -> Tensor | None:
    """The tensor that a value is or may be."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Union):
        return next((m for m in value.members if isinstance(m, Tensor)), None)
    return None


def only_tensor(value: Value) -> Tensor | None:
    """The tensor that a value is, whatever happens."""
    return value if isinstance(value, Tensor) else None


def contains_tensor(value: Value, depth: int = 3) -> Tensor | None:
    """A tensor that a value is or holds, as an element or entry."""
    found = tensor_in(value)
    if found is not None or depth == 0:
        return found
    for member in members_of(value):
        inner: Iterable[Value] = ()
        if isinstance(member, Sequence):
            inner = member.elements if member.elements is not None else (member.element,) if member.element is not None else ()
        elif isinstance(member, Mapping):
            inner = (*member.entries.values(), *((member.other,) if member.other is not None else ()))
        for item in inner:
            found = contains_tensor(item, depth - 1)
            if found is not None:
                return found
    return None
