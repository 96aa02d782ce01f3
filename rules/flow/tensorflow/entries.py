"""Where TensorFlow starts to capture: ``tf.function`` in every form, what Keras traces, and what ``tf.data`` maps."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from ...index.module import Module
from ...index.walk import walk
from ..capture import AUTOGRAPH, KERAS, TENSORFLOW, Capture
from ..entries import Entry, evaluate_in, walk_scopes
from ..engine import Engine
from ..instances import entry_instance
from ..names import define_class
from ..values import BoundMethod, Class, Const, External, Function, Instance, Partial, Sequence, Value
from . import doors, keras
from .backend import is_other
from .values import element_of_dataset, is_object

_MAPS = re.compile(r"\.(?:map|interleave|flat_map|filter)\(")
_MENTIONS = re.compile(doors.MENTION.pattern + r"|\.compile\(|\.fit\(|\bLambda\(")
_DATASET_METHODS = {"map", "interleave", "flat_map", "filter"}


def mentions_tensorflow(text: str) -> bool:
    """Whether a text can have anything to do with TensorFlow or Keras."""
    return "tensorflow" in text or "keras" in text


def explicit_entries(engine: Engine, module: Module) -> Iterator[Entry]:
    """What a module itself has captured by TensorFlow, under any spelling."""
    if not _MENTIONS.search(module.text):
        return
    for statement in module.tree.body:
        excerpt = module.excerpt(_first_line(statement), statement.end_lineno or statement.lineno)
        if not _MENTIONS.search(excerpt):
            continue
        for node, scopes in walk_scopes(statement):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from _decorated(engine, module, node, scopes)
            elif isinstance(node, ast.Call):
                yield from _called(engine, module, node, scopes)


def _first_line(statement: ast.stmt) -> int:
    lines: list[int] = [d.lineno for d in getattr(statement, "decorator_list", [])]
    return min([statement.lineno, *lines])


def _decorated(engine: Engine, module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef, scopes: tuple[ast.AST, ...]) -> Iterator[Entry]:
    if not node.decorator_list or not any(doors.makes_graph(d, module) for d in node.decorator_list):
        return
    if any(isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)) for s in scopes):
        frame = engine.module_frame(module)
        names = [s.name for s in scopes if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
        value = engine.decorated(Function(node, module, ".".join([*names, node.name])), node, module, frame)
        if isinstance(value, Function) and value.traced:
            yield _entry(value, None, module)
        return
    if scopes and isinstance(scopes[-1], ast.ClassDef):
        cls = define_class(scopes[-1], module, ".".join(s.name for s in scopes if isinstance(s, ast.ClassDef)))
        found = engine.member(cls, node.name)
        if found is not None and isinstance(found[2], Function) and found[2].traced:
            yield _entry(found[2], entry_instance(engine, cls, engine.module_frame(module)), module)
        return
    value = engine.decorated(Function(node, module, node.name), node, module)
    if isinstance(value, Function) and value.traced:
        yield _entry(value, None, module)


def _entry(function: Function, receiver: Value | None, module: Module) -> Entry:
    return Entry(function, receiver, module, True, function.door or AUTOGRAPH)


def _called(engine: Engine, module: Module, node: ast.Call, scopes: tuple[ast.AST, ...]) -> Iterator[Entry]:
    target = node.func
    if isinstance(target, (ast.Name, ast.Attribute)) and doors.makes_graph(target, module):
        yield from entries_of(evaluate_in(engine, module, node, scopes), module)
        return
    if not isinstance(target, ast.Attribute):
        return
    if target.attr in ("compile", "fit") and mentions_tensorflow(module.text):
        receiver = evaluate_in(engine, module, target.value, scopes)
        if isinstance(receiver, Instance) and keras.kind_of(receiver.cls) == "model":
            yield from _keras_model(engine, module, receiver, node, scopes)


def entries_of(value: Value, module: Module, traced: bool = True) -> Iterator[Entry]:
    """The entry that capturing a callable makes."""
    if isinstance(value, Function) and (value.traced or not traced):
        yield Entry(value, None, value.module, True, value.door or AUTOGRAPH)
    elif isinstance(value, BoundMethod) and isinstance(value.function, Function) and (value.function.traced or not traced):
        yield Entry(value.function, value.receiver, value.function.module, True, value.function.door or AUTOGRAPH)
    elif isinstance(value, Partial):
        yield from entries_of(value.function, module, traced)


def _keras_model(engine: Engine, module: Module, model: Instance, node: ast.Call, scopes: tuple[ast.AST, ...]) -> Iterator[Entry]:
    """What compiling or fitting a model makes Keras trace: its step, its layers, its loss and its metrics."""
    options = {k.arg: k.value for k in node.keywords if k.arg}
    jit = isinstance(node.func, ast.Attribute) and node.func.attr == "compile" and "jit_compile" in options
    jitted = jit and isinstance(options["jit_compile"], ast.Constant) and options["jit_compile"].value is True
    capture = KERAS.replace(jit=jitted, unsized=True)
    yield from methods_of(engine, model, capture, True)
    children = model.attributes.get("#children")
    for child in children.elements or [] if isinstance(children, Sequence) else []:
        if isinstance(child, Instance):
            yield from methods_of(engine, child, capture, True)
            function = child.attributes.get("#0") if isinstance(child.cls, External) and child.cls.name.endswith(".Lambda") else None
            if isinstance(function, Function) and function.door is None:
                yield Entry(function.behind(capture), None, function.module, True, capture)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
        given = [options[k] for k in ("loss", "metrics") if k in options] + node.args[1:3]
        for argument in given:
            value = evaluate_in(engine, module, argument, scopes)
            items = value.elements or [] if isinstance(value, Sequence) else [value]
            for item in items:
                if isinstance(item, Function) and not item.traced:
                    yield Entry(item.behind(capture), None, item.module, True, capture)
                elif isinstance(item, Instance):
                    yield from methods_of(engine, item, capture, True)


def methods_of(engine: Engine, instance: Instance, capture: Capture, explicit: bool) -> Iterator[Entry]:
    """The methods of an object that Keras calls while it traces."""
    if not isinstance(instance.cls, Class) or (not keras.is_second(instance.cls) and is_other(instance.cls.module)):
        return
    kind = keras.kind_of(instance.cls)
    door = capture if not keras.is_second(instance.cls) else AUTOGRAPH.replace(jit=capture.jit, unsized=True)
    for name in keras.CALLED.get(kind, ()):
        found = engine.member(instance.cls, name)
        if found is None or not isinstance(found[2], Function):
            continue
        function = found[2]
        if function.door is None:
            yield Entry(function.behind(door), instance, instance.cls.module, explicit, door)


def pipeline_entries(engine: Engine, module: Module) -> Iterator[Entry]:
    """What eager code maps over a Dataset, which traces it; a map inside captured code is reached from there."""
    if not _MAPS.search(module.text):
        return
    for statement in module.tree.body:
        if not _MAPS.search(module.excerpt(_first_line(statement), statement.end_lineno or statement.lineno)):
            continue
        for node, scopes in walk_scopes(statement):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _DATASET_METHODS and node.args):
                continue
            if any(a.capture.framework == TENSORFLOW for s in scopes for a in engine.by_node.get(id(s), ())):
                continue
            receiver = evaluate_in(engine, module, node.func.value, scopes)
            if is_object(receiver, "Dataset", "DatasetV2"):
                function = evaluate_in(engine, module, node.args[0], scopes)
                for entry in entries_of(function, module, traced=False):
                    yield replace(entry, capture=AUTOGRAPH.replace(mapped=True, pipeline=True), element=element_of_dataset(receiver))


def module_entries(engine: Engine, module: Module) -> Iterator[Entry]:
    """What is captured unasked: maps of eager pipelines, and what Keras calls in each layer and model that no explicit capture has reached."""
    if not mentions_tensorflow(module.text):
        return
    yield from pipeline_entries(engine, module)
    for node in module.tree.body:
        for item in [node, *(getattr(node, "body", []) if isinstance(node, (ast.If, ast.Try)) else [])]:
            if not isinstance(item, ast.ClassDef):
                continue
            cls = define_class(item, module, item.name)
            kind = keras.kind_of(cls)
            if kind not in keras.ENTRIES:
                continue
            reached = [n for n in keras.ENTRIES[kind] if n in cls.members and engine.by_node.get(id(cls.members[n]))]
            if reached:
                continue
            instance = entry_instance(engine, cls, engine.module_frame(module))
            if isinstance(instance, Instance):
                for entry in methods_of(engine, instance, KERAS.replace(unsized=True), False):
                    if entry.function.qualname.rpartition(".")[2] in keras.ENTRIES[kind]:
                        yield entry


def named(function: Function, receiver: Value | None, module: Module) -> Entry:
    """The entry for a function that the user named: as ``tf.function`` would take it, axes unknown unless it declares them."""
    capture = function.door if function.door is not None and function.traced else AUTOGRAPH
    if isinstance(receiver, Instance) and function.door is None and not keras.is_second(receiver.cls):
        if function.qualname.rpartition(".")[2] in keras.CALLED.get(keras.kind_of(receiver.cls), ()):
            capture = KERAS
            function = function.behind(KERAS)
    return Entry(function, receiver, module, True, capture.replace(unsized=True))


__all__ = ["Const", "explicit_entries", "mentions_tensorflow", "module_entries", "named", "walk"]
