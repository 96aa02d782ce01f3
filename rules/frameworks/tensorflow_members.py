"""Look at TensorFlow's tensors, variables, classes and AutoGraph: what they have and what they do in a graph."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

_HOST_PROTOCOLS = ("__array__", "__bool__", "__complex__", "__contains__", "__float__", "__format__", "__hash__", "__index__", "__int__", "__iter__", "__len__", "__round__")
_WITHOUT_CLASSES = {"compat", "raw_ops", "applications", "datasets", "src", "legacy", "wrappers", "python", "proto", "tools"}


def tensor_members(tf: Any) -> dict[str, str]:
    """Members of a symbolic tensor; "eager" for those that only an eager tensor has, "raises" for those that raise in a graph."""
    eager = tf.constant([1.0, 2.0])
    symbolic = _in_graph(tf, eager)
    for name in (*dir(eager), *_HOST_PROTOCOLS):
        if name not in symbolic and hasattr(eager, name) and (not name.startswith("_") or name in _HOST_PROTOCOLS):
            symbolic[name] = "eager"
    return {name: symbolic[name] for name in sorted(symbolic)}


def variable_members(tf: Any) -> dict[str, str]:
    """Members of a variable: "method", "attribute", or "raises" for those that raise in a graph."""
    found = _in_graph(tf, tf.Variable([1.0, 2.0]))
    return {name: found[name] for name in sorted(found)}


def _in_graph(tf: Any, value: Any) -> dict[str, str]:
    """The members of a tensor or variable while a graph is traced; those that take no argument are called."""
    found: dict[str, str] = {}

    def look(x: Any) -> None:
        for name in dir(x):
            if name in _HOST_PROTOCOLS or not name.startswith("_"):
                found[name] = _member(x, name)

    traced = tf.function(look, autograph=False)
    traced(value)
    return found


def _member(owner: Any, name: str) -> str:
    try:
        member = getattr(owner, name)
        if not callable(member):
            return "attribute"
        if name == "__contains__":
            member(1.0)
        elif name == "__format__":
            member("")
        elif name in _HOST_PROTOCOLS or name in ("eval", "numpy"):
            member()
    except Exception:
        return "raises"
    return "method"


def classes(tf: Any) -> dict[str, list[Any]]:
    """Public classes: what they are, and the parameters of their constructors."""
    found: dict[str, list[Any]] = {}
    for path, module in _modules(tf, "tf", tf, set()):
        for name in sorted(dir(module)):
            value = getattr(module, name, None)
            if not name.startswith("_") and inspect.isclass(value) and not issubclass(value, BaseException):
                found[f"{path}.{name}"] = [_class_kind(tf, value), _constructor(value)]
    return {name: found[name] for name in sorted(found)}


def _modules(tf: Any, path: str, module: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """The public modules below one, with the names that lead to them."""
    seen.add(id(module))
    yield path, module
    for name in sorted(dir(module)):
        if name.startswith("_") or name in _WITHOUT_CLASSES:
            continue
        value = getattr(module, name, None)
        if inspect.ismodule(value) and id(value) not in seen and value.__name__.startswith(("tensorflow.", "keras.")):
            yield from _modules(tf, f"{path}.{name}", value, seen)


def _class_kind(tf: Any, value: type) -> str:
    kinds = (
        ("model", tf.keras.Model), ("layer", tf.keras.layers.Layer), ("metric", tf.keras.metrics.Metric), ("loss", tf.keras.losses.Loss),
        ("optimizer", tf.keras.optimizers.Optimizer), ("initializer", tf.keras.initializers.Initializer), ("dataset", tf.data.Dataset), ("module", tf.Module),
    )  # fmt: skip
    return next((kind for kind, base in kinds if issubclass(value, base)), "other")


def _constructor(value: type) -> list[str]:
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def autograph() -> dict[str, list[str]]:
    """What AutoGraph converts and leaves alone, its builtins and converters in their order, and the syntax that it refuses."""
    from tensorflow.python.autograph.core import config, converter, unsupported_features_checker
    from tensorflow.python.autograph.impl import api
    from tensorflow.python.autograph.operators import py_builtins

    rules = [(type(rule).__name__, rule._prefix) for rule in config.CONVERSION_RULES]
    transform = ast.parse(textwrap.dedent(inspect.getsource(api.PyToTF.transform_ast)))
    steps = [node for node in ast.walk(transform) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "transform"]
    checker = ast.parse(inspect.getsource(unsupported_features_checker))
    return {
        "do_not_convert": sorted({prefix for kind, prefix in rules if kind == "DoNotConvert"}),
        "convert": sorted({prefix for kind, prefix in rules if kind == "Convert"}),
        "overridden_builtins": sorted({function.__name__ for function in py_builtins.SUPPORTED_BUILTINS} | set(py_builtins.BUILTIN_FUNCTIONS_MAP)),
        "converters": [ast.unparse(step.func.value) for step in sorted(steps, key=lambda step: step.lineno) if isinstance(step.func, ast.Attribute)],
        "features": [feature.name for feature in converter.Feature],
        "unsupported_syntax": sorted(node.name[len("visit_") :] for node in ast.walk(checker) if isinstance(node, ast.FunctionDef) and node.name.startswith("visit_")),
    }
