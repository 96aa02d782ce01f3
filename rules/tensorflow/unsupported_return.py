"""TFC308: something is returned that a graph cannot give back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..finding import Severity
from ..flow.engine import is_generator
from ..flow.events import Event, Returns
from ..flow.instances import is_dataclass
from ..flow.tensorflow.values import TFTensor
from ..flow.values import Class, External, Function, Instance
from ..rule import Rule, Suspicion


class UnsupportedReturn(Rule):
    """A captured function returns what a graph cannot give back.

    A graph returns tensors in lists, tuples, dicts, named tuples and `attrs` classes. A dataclass, another object or a generator raises; a
    `tf.Variable` comes back as a snapshot of its value, on which `assign` is gone.

    Bad:
        import dataclasses
        import tensorflow as tf

        @dataclasses.dataclass
        class Out:
            y: tf.Tensor
            n: int

        def f(x):
            return Out(y=x * 2.0, n=3)

        def make_args(i):
            return (tf.constant(1.0 + i),)
    Good:
        import collections
        import tensorflow as tf

        Out = collections.namedtuple("Out", ["y", "n"])

        def f(x):
            return Out(y=x * 2.0, n=3)

        def make_args(i):
            return (tf.constant(1.0 + i),)
    """

    code = "TFC308"
    name = "unsupported-return"
    framework = "tensorflow"
    severity = Severity.BREAK
    listens = (Returns,)

    def examine(self, event: Event) -> Iterator[Suspicion]:
        assert isinstance(event, Returns)
        frame = event.frame
        name = frame.function.qualname.rpartition(".")[2] if frame.function is not None else ""
        if name == "call" and frame.function is not None and not frame.function.traced:
            return
        if not (frame.activation.is_entry or (frame.function is not None and frame.function.traced)) or frame.capture.reason == "keras" or frame.capture.mapped:
            return
        if isinstance(event.at, ast.FunctionDef) and is_generator(event.at):
            first = next((s for s in event.at.body if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(s))), event.at.body[0])
            yield self.suspect(event, "a captured function cannot be a generator: what it returns is no tensor", at=first)
            return
        for node, value, _ in event.records:
            if not isinstance(node, ast.Return):
                continue
            itself = isinstance(node.value, ast.Name) and node.value.id == "self"
            if isinstance(value, Instance) and isinstance(value.cls, Class) and not itself and _is_opaque(value.cls):
                yield self.suspect(event, f"a graph cannot give back an object of `{value.cls.name}`", at=node)
            elif isinstance(value, (Class, Function)) or (isinstance(value, External) and value.name.startswith("builtins.")):
                yield self.suspect(event, "a graph cannot give back a class or function", at=node)
            elif isinstance(value, TFTensor) and value.kind == "variable" and isinstance(node.value, (ast.Name, ast.Attribute)) and not value.nominal:
                yield self.suspect(event, "a graph gives back a snapshot of the variable: `assign` on it fails", value, at=node)


def _is_opaque(cls: Class) -> bool:
    names = {getattr(base, "name", "") for base in cls.bases}
    if names & {"typing.NamedTuple", "builtins.tuple", "builtins.dict", "builtins.list", "tensorflow.experimental.ExtensionType"} or any("NamedTuple" in n or "ModelOutput" in n or "Extension" in n for n in names):
        return False
    text = {ast.unparse(d) for d in cls.node.decorator_list}
    if any("attr" in t or "define" in t for t in text):
        return False
    return is_dataclass(cls) or names <= {"builtins.object"}
