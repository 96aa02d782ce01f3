"""Where capture starts: explicit captures, ``forward`` of every module, and in a library its public tensor functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..index.module import Module
from ..index.walk import children_of, walk
from . import attributes, expressions, statements  # registers the evaluators
from .annotation import lookup_path
from .binding import Arguments
from .calls import call
from .capture import DYNAMO, TENSORFLOW, Capture
from .classes import decorator_names, find_member, is_module_class
from .dispatch import evaluate
from .engine import Engine
from .frame import Activation, Frame
from .instances import entry_instance
from .names import define_class
from .parameters import entry_arguments
from .values import UNKNOWN, BoundMethod, Class, External, Function, Instance, Method, Value, contains_tensor

CAPTURES = {
    "torch.compile",
    "torch._dynamo.optimize",
    "torch.export.export",
    "torch.export.export_for_training",
    "torch.compiler.compile",
}


_MENTIONS = re.compile(r"\b(?!re\b)\w+\.compile\b|\)\.compile\b|import [^\n]*\b(?:compile|export)\b|export\.export|_dynamo\.optimize")
"""What a text must hold if it captures anything."""


@dataclass(frozen=True)
class Entry:
    """A function that is captured; ``receiver`` is the object whose method it is."""

    function: Function
    receiver: Value | None
    module: Module
    explicit: bool
    capture: Capture = DYNAMO
    element: Value | None = None
    """What a Dataset gives to it."""

    @property
    def name(self) -> str:
        """``pkg.mod:Class.method``."""
        return f"{self.module.name}:{self.function.qualname}"


def explicit_entries(engine: Engine, module: Module) -> Iterator[Entry]:
    """What the module itself captures, under any spelling."""
    for node, scopes in (pair for statement in _suspects(module) for pair in walk_scopes(statement)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if any(_is_capture(d, module, scopes) for d in node.decorator_list):
                yield from _decorated_entry(engine, module, node, scopes)
        elif isinstance(node, ast.Call):
            if _is_capture(node.func, module, scopes) and (node.args or node.keywords):
                target = node.args[0] if node.args else node.keywords[0].value
                yield from _captured_value(engine, module, evaluate_in(engine, module, target, scopes))
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "compile" and not node.args:
                value = evaluate_in(engine, module, node.func.value, scopes)
                if isinstance(value, Instance):
                    yield from _captured_value(engine, module, value)


def _suspects(module: Module) -> list[ast.stmt]:
    """The top-level statements that may capture something: those in which a name of a capture stands, or all if one is imported."""
    text = module.text
    if ".compile" not in text and "export" not in text and " compile" not in text:
        return []
    lines = set()
    for found in _MENTIONS.finditer(text):
        if found[0].startswith("import"):
            return module.tree.body
        lines.add(text.count("\n", 0, found.start()) + 1)
    if not lines:
        return []

    def holds(statement: ast.stmt) -> bool:
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        return any(first <= line <= (statement.end_lineno or first) for line in lines)

    return [statement for statement in module.tree.body if holds(statement)]


def walk_scopes(node: ast.AST) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """The nodes in a piece of syntax, each with the functions and classes around it."""
    stack: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(node, ())]
    while stack:
        item, around = stack.pop()
        yield item, around
        inner = (*around, item) if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else around
        stack.extend((child, inner) for child in children_of(item))


def _is_capture(node: ast.expr, module: Module, scopes: tuple[ast.AST, ...]) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    if not isinstance(target, (ast.Name, ast.Attribute)):
        return False
    last = target.attr if isinstance(target, ast.Attribute) else target.id
    if isinstance(target, ast.Attribute) and last not in ("compile", "export", "optimize", "export_for_training"):
        return False
    found = lookup_path(target, module)
    if isinstance(found, External) and found.name in CAPTURES:
        return True
    if isinstance(node, ast.Call) and isinstance(found, External) and found.name == "functools.partial" and node.args:
        return _is_capture(node.args[0], module, scopes)
    return False


def _decorated_entry(
    engine: Engine, module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef, scopes: tuple[ast.AST, ...]
) -> Iterator[Entry]:
    if scopes and isinstance(scopes[-1], ast.ClassDef):
        cls = define_class(scopes[-1], module, ".".join(s.name for s in scopes if isinstance(s, ast.ClassDef)))
        function = Function(node, module, f"{cls.qualname}.{node.name}", cls)
        yield Entry(function, entry_instance(engine, cls, engine.module_frame(module)), module, True)
    else:
        names = [s.name for s in scopes if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
        yield Entry(Function(node, module, ".".join([*names, node.name])), None, module, True)


def evaluate_in(engine: Engine, module: Module, node: ast.expr, scopes: tuple[ast.AST, ...]) -> Value:
    """The value of an expression inside nested scopes, as far as single assignments tell."""
    frame = engine.module_frame(module)
    functions = [s for s in scopes if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]
    classes = [s for s in scopes if isinstance(s, ast.ClassDef)]
    engine.muted += 1
    try:
        if functions:
            if classes and functions[0].args.args and scopes.index(classes[-1]) < scopes.index(functions[0]):
                cls = define_class(classes[-1], module, classes[-1].name)
                frame.env[functions[0].args.args[0].arg] = entry_instance(engine, cls, frame)
            for name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
                _resolve_local(name, functions, frame, node.lineno, 0)
        return evaluate(node, frame)
    finally:
        engine.muted -= 1


_BOUND: dict[ast.AST, dict[str, list[ast.stmt]]] = {}


def _bound_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, list[ast.stmt]]:
    """The definitions and assignments of each name anywhere in a function, the function itself included."""
    known = _BOUND.get(function)
    if known is None:
        known = _BOUND[function] = {}
        for item in walk(function):
            if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
                known.setdefault(item.name, []).append(item)
            elif isinstance(item, ast.Assign):
                for target in item.targets:
                    if isinstance(target, ast.Name):
                        known.setdefault(target.id, []).append(item)
    return known


def _resolve_local(name: str, functions: list[ast.FunctionDef | ast.AsyncFunctionDef], frame: Frame, line: int, depth: int) -> None:
    if name in frame.env or depth > 12:
        return
    for function in reversed(functions):
        bound = _bound_in(function).get(name, [])
        inner = next((item for item in bound if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))), None)
        if inner is not None:
            frame.env[name] = Function(inner, frame.module, f"{function.name}.{name}")
            return
        best = max((item for item in bound if isinstance(item, ast.Assign) and item.lineno < line), key=lambda item: item.lineno, default=None)
        if best is not None:
            for other in {n.id for n in ast.walk(best.value) if isinstance(n, ast.Name)}:
                _resolve_local(other, functions, frame, best.lineno, depth + (1 if other == name else 4))
            frame.env[name] = evaluate(best.value, frame)
            return
        if any(p.arg == name for p in [*function.args.args, *function.args.kwonlyargs]):
            frame.env[name] = UNKNOWN
            return


def _captured_value(engine: Engine, module: Module, value: Value) -> Iterator[Entry]:
    if isinstance(value, Function):
        receiver = None
        yield Entry(value, receiver, value.module, True)
    elif isinstance(value, BoundMethod) and isinstance(value.function, Function):
        yield Entry(value.function, value.receiver, value.function.module, True)
    elif isinstance(value, Instance):
        yield from _forward(engine, value, True)


def _forward(engine: Engine, instance: Instance, explicit: bool) -> Iterator[Entry]:
    children = instance.attributes.get("#children")
    if not isinstance(instance.cls, Class):
        if children is not None:
            for child in getattr(children, "elements", None) or []:
                if isinstance(child, Instance):
                    yield from _forward(engine, child, explicit)
        return
    for name in ("forward", "__call__"):
        found = engine.member(instance.cls, name)
        if found is not None:
            function = found[2]
            if isinstance(function, Function):
                yield Entry(function, instance, instance.cls.module, explicit)
            return


def module_entries(engine: Engine, module: Module) -> Iterator[Entry]:
    """``forward`` of each ``nn.Module`` of a module, its own or inherited from the project."""
    for node in module.tree.body:
        for item in [node, *(getattr(node, "body", []) if isinstance(node, (ast.If, ast.Try)) else [])]:
            if isinstance(item, ast.ClassDef):
                cls = define_class(item, module, item.name)
                if not is_module_class(cls):
                    continue
                found = engine.member(cls, "forward")
                if found is None or not isinstance(found[2], (Function, Method)) or _is_abstract(found[1]):
                    continue
                function = found[2]
                if isinstance(function, Function):
                    yield Entry(function, entry_instance(engine, cls, engine.module_frame(module)), module, False)


def _is_abstract(statement: ast.stmt) -> bool:
    body = getattr(statement, "body", [])
    return bool(body) and isinstance(body[-1], ast.Raise) and len(body) <= 2


def public_functions(engine: Engine, module: Module) -> Iterator[Entry]:
    """The public functions of a library's module that take a tensor, by their annotations."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if not any(p.annotation is not None for p in [*node.args.args, *node.args.kwonlyargs]):
                continue
            signature = module.excerpt(node.lineno, node.body[0].lineno)
            if "Tensor" not in signature and not _mentions_alias(node, module):
                continue
            value = engine.decorated(Function(node, module, node.name), node, module)
            if isinstance(value, Function) and value.node is node:
                arguments = entry_arguments(value, False, False)
                if any(contains_tensor(v) is not None for v in arguments.values()):
                    yield Entry(value, None, module, False)


def _mentions_alias(node: ast.FunctionDef, module: Module) -> bool:
    return any(isinstance(p.annotation, ast.Name) and p.annotation.id in module.bindings for p in node.args.args)


def named_entry(engine: Engine, text: str) -> Entry | None:
    """The entry that ``pkg.mod:name`` or ``pkg.mod:Class.method`` names, None if there is none."""
    module_name, _, path = text.partition(":")
    module = engine.project.module(module_name)
    if module is None or not path:
        return None
    from .names import lookup

    first, *rest = path.split(".")
    value = lookup(module, first)
    if isinstance(value, Class):
        name = rest[0] if rest else "forward"
        if not rest and find_member(value, "forward") is None:
            name = "call" if find_member(value, "call") is not None else "__call__"
        found = engine.member(value, name)
        if found is not None and isinstance(found[2], Function):
            static = "staticmethod" in decorator_names(found[1])
            receiver = None if static else entry_instance(engine, value, engine.module_frame(module))
            return tensorflow_named(found[2], receiver, module) if _is_tensorflow(module) else Entry(found[2], receiver, module, True)
        return None
    if isinstance(value, Function) and not rest and _is_tensorflow(module):
        return tensorflow_named(value, None, module)
    if isinstance(value, Function) and not rest:
        return Entry(value, None, module, True)
    return None


def tensorflow_named(function: Function, receiver: Value | None, module: Module) -> Entry:
    """The entry for a function of TensorFlow that the user named."""
    from .tensorflow.entries import named

    return named(function, receiver, module)


def _is_tensorflow(module: Module) -> bool:
    """Whether what a module names is captured by TensorFlow: it speaks of TensorFlow or Keras, or of no framework in a project that does."""
    text = module.text
    if "torch" in text:
        return "tensorflow" in text and not re.search(r"^\s*(?:import|from) torch", text, re.MULTILINE)
    return "tensorflow" in text or "keras" in text or module.project.speaks_of_tensorflow


def start(engine: Engine, entry: Entry) -> Activation:
    """Interpret an entry with the arguments that its callers may give."""
    function = entry.function
    parameters = [*function.node.args.posonlyargs, *function.node.args.args]
    is_method = entry.receiver is not None and bool(parameters)
    if entry.capture.framework == TENSORFLOW:
        return _start_tensorflow(engine, entry, is_method)
    arguments = entry_arguments(function, is_method, entry.receiver is not None)
    if is_method and entry.receiver is not None:
        arguments = {parameters[0].arg: entry.receiver, **arguments}
    return engine.run(function, arguments)


def _start_tensorflow(engine: Engine, entry: Entry, is_method: bool) -> Activation:
    from .tensorflow import autograph, inputs

    function = entry.function
    name = function.qualname.rpartition(".")[2]
    by_keras = (name if is_method else "loss") if entry.capture.reason == "keras" else ""
    unsized = (inputs.BATCH if by_keras else inputs.UNSIZED) if entry.capture.unsized else ""
    arguments = inputs.entry_arguments(function, is_method, by_keras, unsized)
    if entry.element is not None:
        inputs.spread(entry.element, function, is_method, arguments)
    if is_method and entry.receiver is not None:
        first = [*function.node.args.posonlyargs, *function.node.args.args][0].arg
        arguments = {first: entry.receiver, **arguments}
    capture = entry.capture
    if capture.converted:
        off = autograph.left_alone(function)
        if off is not None:
            capture = capture.replace(converted=False, reason=off[0])
    engine.entry = (function.qualname, capture.mapped)
    activation = engine.run(function, arguments, capture, entry=True)
    if not by_keras and not capture.mapped:
        inputs.announce(engine, activation, function, is_method)
    return activation


__all__ = ["Arguments", "Entry", "attributes", "call", "explicit_entries", "expressions", "module_entries", "named_entry", "public_functions", "start", "statements"]
