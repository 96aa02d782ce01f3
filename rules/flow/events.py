"""What happens in a function while it is captured: the interpreter says so, rules listen.

An event carries syntax nodes and abstract values. ``at`` is the expression or statement that a finding would point at.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .values import Value

if TYPE_CHECKING:
    from .frame import Frame


@dataclass(frozen=True)
class Event:
    """Something that happens at ``at`` in the function of ``frame``."""

    at: ast.expr | ast.stmt
    frame: Frame


@dataclass(frozen=True)
class Branch(Event):
    """Python asks for the truth of a value: ``kind`` is "if", "while", "ternary", "and", "or", "not", "assert", "filter", "match", "bool"."""

    test: Value
    kind: str
    statement: ast.stmt | None = None
    message: ast.expr | None = None
    """The message of an ``assert``."""


@dataclass(frozen=True)
class Loop(Event):
    """A ``for`` or comprehension iterates over ``iterable``."""

    iterable: Value


@dataclass(frozen=True)
class Call(Event):
    """A callable that lives outside the project is called, by its dotted name.

    A method of a built-in kind of value is named by that kind: "Tensor.item", "list.append", "Logger.info".
    """

    callee: str
    receiver: Value | None
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    result: Value
    exact: bool = True
    """Whether all arguments are known (no ``*args`` of unknown length)."""

    def argument(self, position: int, name: str) -> Value | None:
        """The argument given at ``position`` (after the receiver) or as ``name``."""
        if name in self.kwargs:
            return self.kwargs[name]
        return self.args[position] if position < len(self.args) else None


@dataclass(frozen=True)
class Iterate(Event):
    """Python itself, not AutoGraph, iterates over a tensor or Dataset; ``by`` is the builtin, "comprehension", "unpack", "star" or "for"."""

    iterable: Value
    by: str


@dataclass(frozen=True)
class Index(Event):
    """``base[index]`` is read, or stored to when ``store``."""

    base: Value
    index: Value
    store: bool = False
    stored: Value | None = None
    augmented: bool = False


@dataclass(frozen=True)
class Operate(Event):
    """A binary operator or comparison, by its symbol ("%", "in", "**")."""

    operator: str
    left: Value
    right: Value


@dataclass(frozen=True)
class SizeTest(Event):
    """An operator on what was read from the static shape of a tensor of TensorFlow."""

    operator: str
    left: Value
    right: Value


@dataclass(frozen=True)
class Format(Event):
    """A value is turned into text by an f-string, ``str``, ``format`` or ``%``."""

    value: Value


@dataclass(frozen=True)
class Attribute(Event):
    """An attribute of a built-in kind of value or external object is read, named as in :class:`Call`."""

    name: str
    receiver: Value


@dataclass(frozen=True)
class Store(Event):
    """``receiver.name = value`` on a tensor or external object."""

    name: str
    receiver: Value
    value: Value


@dataclass(frozen=True)
class Enter(Event):
    """A ``with`` enters a context manager; ``callee`` is its dotted name when it is external."""

    callee: str
    manager: Value


@dataclass(frozen=True)
class Raise(Event):
    """A ``raise`` is reached without a test that could have gone the other way."""

    exception: Value


@dataclass(frozen=True)
class Unconverted(Event):
    """Something that needs AutoGraph happens in a function that AutoGraph leaves alone."""

    what: str
    node: ast.expr | ast.stmt
    """What needs it; ``at`` is the syntax at fault when there is one."""
    value: Value | None = None
    """The tensor in question."""


@dataclass(frozen=True)
class Staged(Event):
    """A tensor decides an ``if`` or a loop, so that TensorFlow traces each side as a graph of its own.

    ``kind`` is "if", "for", "while" or "ternary"; ``before`` the names where it began; ``sides`` the names at the end of each side, None where
    that side does not reach its end.
    """

    kind: str
    before: dict[str, Value]
    sides: tuple[dict[str, Value] | None, ...]


@dataclass(frozen=True)
class Leaked(Event):
    """An attribute is read that another captured function set to a symbolic tensor of its own trace."""

    name: str
    value: Value


@dataclass(frozen=True)
class Entered(Event):
    """A function that is captured is entered with what its callers were seen to give.

    ``relaxed`` says that shapes may change without a new trace; ``signature`` how many parameters an ``input_signature`` declares.
    """

    arguments: dict[str, Value]
    parameters: dict[str, Any]
    """The syntax of each parameter."""
    relaxed: bool
    signature: int | None
    given: int
    per_object: bool


@dataclass(frozen=True)
class Legacy(Event):
    """Code that nothing captures names something of TensorFlow; ``graph_mode`` says that its file turns eager execution off or opens graphs."""

    name: str
    graph_mode: bool


@dataclass(frozen=True)
class CalledWith(Event):
    """Eager code gives a captured function a Python value, at ``at``, that changes from call to call."""

    function: str
    value: Value


@dataclass(frozen=True)
class MakesGraph(Event):
    """``tf.function`` is applied inside a function, each time that function runs."""


@dataclass(frozen=True)
class Recurse(Event):
    """A function calls itself again while it is being traced."""

    function: str


@dataclass(frozen=True)
class Leave(Event):
    """A ``return``, ``break`` or ``continue`` ("kind") leaves what stages it from within."""

    kind: str


@dataclass(frozen=True)
class Change(Event):
    """Python state is changed: an attribute, a global or outer name, or the content of a container.

    Attributes:
        what: "attribute", "name", "item" or the name of a mutating method ("append").
        root: the leftmost name of the target.
        holder: the object that is changed, when it is known.
        value: what is put in.
        again: whether the new state is made from the old one.
    """

    what: str
    target: ast.expr
    holder: Value | None
    value: Value
    again: bool


@dataclass(frozen=True)
class Returns(Event):
    """A function is done; ``records`` holds each return's node, value and the stages around it."""

    records: tuple[tuple[ast.AST, Value, tuple[Any, ...]], ...]


@dataclass(frozen=True)
class Define(Event):
    """A class is defined inside the captured function."""
