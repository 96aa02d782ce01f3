"""The engine: runs functions abstractly, once per distinct tuple of arguments, and gathers what rules suspect in them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

from ..index.module import Module
from ..index.project import Project
from ..index.walk import statements_of, walk
from ..rule import Rule
from .capture import DYNAMO, TORCH, Capture
from .binding import Arguments, bind
from .classes import ancestry, collect_members, decorator_names, find_member
from .dispatch import evaluate
from .events import Call, Event, Recurse, Returns
from .frame import Activation, Frame
from .parameters import refine_unknown
from .values import (
    NONE,
    Why,
    UNKNOWN,
    BoundMethod,
    Class,
    External,
    Function,
    Instance,
    Sequence,
    Value,
    join,
    join_all,
    partly_unknown,
)

MAX_CONTEXTS = 8
"""Distinct tuples of arguments per function; what exceeds them is joined into one."""
HABIT = 4
"""Uses after which a decorator that always gave back its argument, or nothing known, is believed to do so again."""
DECORATOR_DEPTH = 3
"""Calls that are followed inside a decorator: what it gives back counts, not how it comes by a docstring."""
MAX_DEPTH = 60
"""Calls that are followed inside one another."""


class Engine:
    """Interprets the functions of a project under capture.

    Args:
        project: the modules.
        rules: who is told about events.
    """

    def __init__(self, project: Project, rules: Iterable[Rule]) -> None:
        self.project = project
        project.engine = self
        self.listeners: dict[tuple[str, type[Event]], list[Rule]] = defaultdict(list)
        for rule in rules:
            for kind in rule.listens:
                self.listeners[rule.framework, kind].append(rule)
        self.call_listeners: dict[tuple[str, str], list[Rule]] = {}
        self.classes: dict[ast.ClassDef, Class] = {}
        self.instances: dict[Hashable, Instance] = {}
        self.activations: dict[Hashable, Activation] = {}
        self.contexts: dict[Hashable, list[Activation]] = defaultdict(list)
        """Runs of a function, by its node and what it closes over."""
        self.by_node: dict[int, list[Activation]] = defaultdict(list)
        """All runs of a piece of syntax."""
        self.mutated: dict[Hashable, frozenset[str]] = {}
        self.widened: dict[int, dict[str, Value]] = {}
        self.entry: object = None
        """The entry that is being interpreted."""
        self.leaks = Leaks()
        self.depth = 0
        self.muted = 0
        self.decorating: int | None = None
        """Depth at which a decorator is being applied, if one is: each use of one counts as a function of its own."""
        self.recording: dict[ast.AST, dict[ast.expr, Value]] | None = None

    # -- events ---------------------------------------------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Tell the rules that listen to this kind of event."""
        if self.muted:
            return
        frame = event.frame
        framework = frame.capture.framework
        rules = self.call_listeners.get((framework, event.callee)) if isinstance(event, Call) else self.listeners.get((framework, type(event)))
        if not rules:
            return
        for rule in rules:
            for suspicion in rule.examine(event):
                key = (rule.code, suspicion.at)
                conditions = (*frame.conditions, *suspicion.when)
                known = frame.activation.suspicions.get(key)
                skips = frame.protected > 0
                if known is None or len(conditions) < len(known[1]):
                    frame.activation.suspicions[key] = (suspicion, conditions, skips)

    def hears_call(self, callee: str, framework: str) -> bool:
        """Whether any rule about a framework is concerned by calls of that name."""
        known = self.call_listeners.get((framework, callee))
        if known is None:
            known = [rule for rule in self.listeners[framework, Call] if rule.concerns(callee)]
            self.call_listeners[framework, callee] = known
        return bool(known)

    # -- functions ------------------------------------------------------------------------------------------------------------

    def call_function(self, function: Function, arguments: Arguments, frame: Frame | None, node: ast.AST | None) -> Value:
        """The result of calling a function of the project."""
        if self.depth > MAX_DEPTH or (self.decorating is not None and self.depth > self.decorating + DECORATOR_DEPTH):
            return UNKNOWN
        home = self._definition_frame(function)
        bound = bind(function, arguments, home)
        if any(partly_unknown(value) for value in bound.values()):
            refine_unknown(function, bound)
            if frame is not None and frame.capture.framework != TORCH:
                autograph.as_tensorflow(bound)
        capture = DYNAMO if frame is None else frame.capture
        if function.door is not None or capture.framework != TORCH:
            capture = autograph.entered(function, capture, frame)
        activation = self.run(function, bound, capture)
        if frame is not None and node is not None:
            conditions = tuple(frame.conditions)
            known = frame.activation.calls.get(id(activation))
            if known is None or len(conditions) < len(known[2]):
                frame.activation.calls[id(activation)] = (activation, node, conditions)
            if activation.running and function.node is not None and isinstance(node, ast.expr) and capture.framework != TORCH:
                self.emit(Recurse(node, frame, function.qualname))
            if activation.wants_conversion:
                autograph.pass_on(activation, frame)
        result = activation.result
        return result if result is not None else UNKNOWN

    def _definition_frame(self, function: Function) -> Frame:
        frame = Frame(self, function.module, None, Activation(None, function.module, None, {}), dict(function.closure or {}))
        return frame

    def run(self, function: Function, arguments: dict[str, Value], capture: Capture = DYNAMO, entry: bool = False) -> Activation:
        """Interpret a function with these arguments, or find the earlier run with equal ones."""
        node = function.node
        closed = _closure_key(function)
        key: Hashable = (id(node), closed, capture, tuple([(name, value.key()) for name, value in arguments.items()]))
        seen = key
        found = self.activations.get(key)
        if found is not None:
            if found.muted and not self.muted and not found.running:
                self._interpret(found)
            return found
        contexts = self.contexts[(id(node), closed, capture)]
        if self.decorating is not None and len(contexts) >= HABIT:
            known = _habit(contexts, arguments)
            if known is not None:
                return known
        if len(contexts) >= MAX_CONTEXTS and self.decorating is None:
            arguments = self._widen(contexts, arguments)
            key = (id(node), closed, capture, "widened", tuple([(name, value.key()) for name, value in arguments.items()]))
            found = self.activations.get(key)
            if found is None and len(contexts) >= 2 * MAX_CONTEXTS:
                found = contexts[-1]
            if found is not None:
                self.activations[seen] = found
                return found
        activation = Activation(function, function.module, key, arguments, capture)
        activation.is_entry = entry
        self.activations[key] = activation
        contexts.append(activation)
        self.by_node[id(node)].append(activation)
        self._interpret(activation)
        return activation

    def _widen(self, contexts: list[Activation], arguments: dict[str, Value]) -> dict[str, Value]:
        """The join of these arguments with those of all earlier runs of the function."""
        first = contexts[0]
        wide = self.widened.get(id(first))
        for source in [context.arguments for context in contexts] if wide is None else []:
            wide = dict(source) if wide is None else _join_arguments(wide, source)
        assert wide is not None
        wide = _join_arguments(wide, arguments)
        self.widened[id(first)] = wide
        return dict(wide)

    def _interpret(self, activation: Activation) -> None:
        function = activation.function
        assert function is not None
        node = function.node
        env = dict(function.closure) if function.closure else {}
        env.update(activation.arguments)
        frame = Frame(self, function.module, function, activation, env)
        if function.closure:
            frame.learnt.update(name.partition(".")[0] for name in function.closure if "." in name)
        if self.recording is not None and node in self.recording:
            frame.types = self.recording[node]
        activation.running = True
        activation.muted = self.muted > 0
        self.depth += 1
        try:
            if isinstance(node, ast.Lambda):
                activation.result = evaluate(node.body, frame)
            else:
                alive = statements.execute(node.body, frame)
                if alive or not frame.returns:
                    if alive:
                        frame.returns.append(NONE)
                        if frame.returned:
                            frame.returned.append((node, NONE, ()))
                if (frame.returned or (activation.is_entry and frame.yields)) and isinstance(node, ast.FunctionDef):
                    self.emit(Returns(node, frame, tuple(frame.returned)))
                if function.module.has_generators and is_generator(node):
                    activation.result = Sequence("iterator", None, join_all(frame.yields) if frame.yields else UNKNOWN)
                elif isinstance(node, ast.AsyncFunctionDef):
                    activation.result = UNKNOWN
                else:
                    activation.result = join_all(frame.returns) if frame.returns else None
                    activation.result = self._trust_annotation(activation, node)
        finally:
            self.depth -= 1
            activation.running = False

    def _trust_annotation(self, activation: Activation, node: ast.FunctionDef) -> Value | None:
        """What the ``->`` promises stands in for a result that is not known."""
        if activation.result is not None and partly_unknown(activation.result) and node.returns is not None:
            why = Why(f"`{node.name}` is annotated to return it", activation.module.shown, node.lineno)
            declared = annotation.annotated(node.returns, activation.module, why)
            if isinstance(declared, TFTensor):
                declared = declared.replace(likely=True)  # layers that give several tensors are often annotated as giving one
            return declared if declared is not UNKNOWN else activation.result
        return activation.result

    # -- definitions ----------------------------------------------------------------------------------------------------------

    def module_frame(self, module: Module) -> Frame:
        """A frame in which module-level expressions are evaluated."""
        return Frame(self, module, None, Activation(None, module, None, {}), {})

    def module_assignment(self, module: Module, name: str, statement: ast.stmt) -> Value:
        """The value that a module-level assignment gives to a name."""
        frame = self.module_frame(module)
        self.muted += 1
        try:
            if isinstance(statement, ast.AnnAssign):
                value = evaluate(statement.value, frame) if statement.value is not None else UNKNOWN
                if value is UNKNOWN:
                    value = annotation.annotated(statement.annotation, module, Why(f"`{name}` is annotated", module.shown, statement.lineno))
                return value
            if isinstance(statement, ast.Assign):
                value = evaluate(statement.value, frame)
                for target in statement.targets:
                    statements.assign(target, value, frame, statement.value)
                return frame.env.get(name, UNKNOWN)
        finally:
            self.muted -= 1
        return UNKNOWN

    def decorated(self, function: Function, node: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, frame: Frame | None = None) -> Value:
        """A function after its decorators."""
        if not node.decorator_list:
            return function
        return decorators.apply_decorators(function, node, frame or self.module_frame(module))

    def member(self, cls: Class, name: str, after: Class | None = None) -> tuple[Class, ast.stmt, Value] | None:
        """A member of a class: who defines it, the statement, and its value."""
        found = find_member(cls, name, after)
        if found is None:
            return None
        owner, statement = found
        if name not in owner.attributes:
            owner.attributes[name] = UNKNOWN
            owner.attributes[name] = self._class_member(owner, name, statement)
        return owner, statement, owner.attributes[name]

    def _class_member(self, owner: Class, name: str, statement: ast.stmt) -> Value:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = Function(statement, owner.module, f"{owner.qualname}.{name}", owner, owner.closure)
            return self.decorated(function, statement, owner.module)
        if isinstance(statement, ast.ClassDef):
            return names.define_class(statement, owner.module, f"{owner.qualname}.{name}", owner.closure)
        frame = self.module_frame(owner.module)
        frame.env = {**(owner.closure or {}), **owner.attributes}
        self.muted += 1
        try:
            value_node = getattr(statement, "value", None)
            if value_node is not None:
                return evaluate(value_node, frame)
            if isinstance(statement, ast.AnnAssign):
                why = Why(f"`{owner.name}.{name}` is annotated", owner.module.shown, statement.lineno)
                return annotation.annotated(statement.annotation, owner.module, why)
        finally:
            self.muted -= 1
        return UNKNOWN

    def annotated_instance(self, cls: Class) -> Value:
        """An object of a class that is known only from an annotation."""
        return instances.instance_from_annotation(self, cls)

    def mutated_attributes(self, cls: Class) -> frozenset[str]:
        """Names of the attributes that methods other than the constructor assign."""
        key = cls.key()
        if key not in self.mutated:
            names: set[str] = set()
            for item in ancestry(cls):
                if isinstance(item, Class):
                    names |= _stored_outside_constructor(item.node)
            self.mutated[key] = frozenset(names)
        return self.mutated[key]


def _targets(statement: ast.stmt) -> Iterator[ast.expr]:
    """What a statement assigns to, tuples taken apart."""
    if isinstance(statement, ast.Assign):
        stack = list(statement.targets)
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign, ast.For)):
        stack = [statement.target]
    else:
        return
    while stack:
        target = stack.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            stack.extend(target.elts)
        else:
            yield target


_STORED: dict[ast.ClassDef, set[str]] = {}


def _stored_outside_constructor(cls: ast.ClassDef) -> set[str]:
    """Names of the attributes of ``self`` that a class's own methods assign, the constructor aside."""
    names = _STORED.get(cls)
    if names is None:
        names = set()
        for member in cls.body:
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)) and member.name not in ("__init__", "__post_init__"):
                for statement in statements_of(member):
                    for target in _targets(statement):
                        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                            names.add(target.attr)
        _STORED[cls] = names
    return names


def _yields(node: ast.AST) -> bool:
    """Whether the own body of a function holds a ``yield``; nested functions are looked at only if one is there at all."""
    if isinstance(node, ast.Lambda) or not any(isinstance(item, (ast.Yield, ast.YieldFrom)) for item in walk(node)):
        return False
    stack = list(getattr(node, "body", []))
    while stack:
        item = stack.pop()
        if isinstance(item, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(item))
    return False


_GENERATORS: dict[ast.AST, bool] = {}


def is_generator(node: ast.AST) -> bool:
    """Whether a function contains a ``yield`` of its own."""
    known = _GENERATORS.get(node)
    if known is None:
        known = _yields(node)
        _GENERATORS[node] = known
    return known


def _habit(contexts: list[Activation], arguments: dict[str, Value]) -> Activation | None:
    """What a part of a decorator will give, if all its runs so far gave back the same parameter, or nothing that is known."""
    first = contexts[0]
    if all(run.result is UNKNOWN for run in contexts):
        return first
    for name in first.arguments:
        if name in arguments and all(run.result is not None and run.result is run.arguments.get(name) for run in contexts):
            same = Activation(first.function, first.module, None, arguments)
            same.result = arguments[name]
            return same
    return None


def _closure_key(function: Function, depth: int = 0) -> Hashable:
    """What a function closes over, as part of a memory key; found once for each function object.

    A decorated function is told from others behind the same decorators by the function that the innermost wrapper closes over.
    """
    if not function.closure:
        return 0
    if function.closure_key is None:
        parts: list[Hashable] = []
        for name, value in function.closure.items():
            if isinstance(value, Function):
                own = value is function or depth > 6
                parts.append((name, id(value.node), 0 if own else _closure_key(value, depth + 1)))
            else:
                parts.append((name, value.key()))
        function.closure_key = tuple(parts)
    return function.closure_key


def _join_arguments(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    result = dict(a)
    for name, value in b.items():
        other = result.get(name)
        if other is None:
            result[name] = value
        elif other is not value:
            result[name] = join(other, value)
    return result


def receiver_of(value: Value) -> Value:
    """The object that a bound method belongs to."""
    return value.receiver if isinstance(value, BoundMethod) else UNKNOWN


from . import annotation, decorators, instances, names, statements  # noqa: E402
from .tensorflow import autograph  # noqa: E402
from .tensorflow.leaks import Leaks  # noqa: E402  (these call back into this module)
from .tensorflow.values import TFTensor  # noqa: E402

__all__ = ["Engine", "External", "collect_members", "decorator_names", "is_generator", "receiver_of"]
