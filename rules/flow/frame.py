"""The state of one function while it is interpreted, and what an interpretation leaves behind."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TYPE_CHECKING

from .capture import DYNAMO, Capture
from .conditions import Condition
from .values import Function, Value

if TYPE_CHECKING:
    from ..index.module import Module
    from ..rule import Suspicion
    from .engine import Engine

Conditions = tuple[Condition | str, ...]


class Activation:
    """A function with one tuple of abstract arguments: its result, what rules suspect in it, and the calls it makes."""

    def __init__(
        self, function: Function | None, module: Module, key: Hashable, arguments: dict[str, Value], capture: Capture = DYNAMO
    ) -> None:
        self.function = function
        self.module = module
        self.key = key
        self.arguments = arguments
        self.capture = capture
        self.result: Value | None = None
        self.running = False
        self.muted = False
        """Whether it ran while no rule listened."""
        self.suspicions: dict[tuple[str, ast.AST], tuple[Suspicion, Conditions, bool]] = {}
        self.calls: dict[int, tuple[Activation, ast.AST, Conditions]] = {}
        self.is_entry = False
        """Whether the user's code captures it, so that what it is given comes from outside."""
        self.wants_conversion = False
        """Whether it needed AutoGraph, which a caller's syntax had switched off."""

    @property
    def name(self) -> str:
        """The qualified name of the function."""
        return self.function.qualname if self.function is not None else "<module>"


class Stage:
    """A branch or loop around the statement at hand, while TensorFlow traces.

    Attributes:
        kind: "if", "for" or "while".
        node: the statement.
        tensor: whether a tensor decides it, so that its body becomes a graph of its own.
        env: the local names where it began.
        side: which side of an ``if`` runs: "body" or "orelse".
    """

    __slots__ = ("env", "kind", "node", "side", "tensor")

    def __init__(self, kind: str, node: ast.AST, tensor: bool, env: dict[str, Value], side: str = "body") -> None:
        self.kind = kind
        self.node = node
        self.tensor = tensor
        self.env = env
        self.side = side


class Frame:
    """One run through a function's body.

    Attributes:
        env: local names.
        conditions: what must hold for the statement at hand to run, in the user's words.
        returns: values returned so far.
        protected: number of loops, ``try`` blocks and plain context managers around the statement at hand.
        types: value of every expression, recorded only while fixes are looked for.
    """

    __slots__ = (
        "activation",
        "breaks",
        "capture",
        "conditions",
        "continues",
        "engine",
        "entered_by",
        "env",
        "function",
        "handed",
        "in_message",
        "learnt",
        "module",
        "protected",
        "returned",
        "returns",
        "staging",
        "statement",
        "tries",
        "types",
        "yields",
    )

    def __init__(self, engine: Engine, module: Module, function: Function | None, activation: Activation, env: dict[str, Value]) -> None:
        self.engine = engine
        self.module = module
        self.function = function
        self.activation = activation
        self.env = env
        self.conditions: list[Condition | str] = []
        self.returns: list[Value] = []
        self.yields: list[Value] = []
        self.breaks: list[dict[str, Value]] = []
        self.continues: list[dict[str, Value]] = []
        self.protected = 0
        self.capture = activation.capture
        self.handed: set[str] = set()
        """Names that a ``global`` or ``nonlocal`` statement hands to an outer scope."""
        self.staging: list[Stage] = []
        """Tensor branches and loops around the statement at hand, and Python loops between them."""
        self.entered_by: list[str] = []
        """Names of the context managers around the statement at hand."""
        self.in_message = 0
        """Nesting in what only words an exception or a log line, which runs but once anyway."""
        self.tries: list[ast.Try] = []
        """``try`` statements in whose body the statement at hand stands."""
        self.returned: list[tuple[ast.AST, Value, tuple[Stage, ...]]] = []
        self.learnt: set[str] = set()
        """Names of which something was learnt about an attribute or item ("self.cache" is kept beside "self")."""
        self.statement: ast.stmt | None = None
        self.types: dict[ast.expr, Value] | None = None
