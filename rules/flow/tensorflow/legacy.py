"""TensorFlow 1's names in code that nothing captures: they are read as they are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...index.module import Module
from ..annotation import lookup_path
from ..capture import AUTOGRAPH, TENSORFLOW
from ..engine import Engine
from ..entries import Entry, walk_scopes
from ..events import Legacy
from ..frame import Activation, Frame
from ..values import External, Function

_MENTIONS = re.compile(r"\bplaceholder\b|\bSession\b|\.contrib\b|\bfeed_dict\b|get_variable|compat\.v1|\.layers\b|\.estimator\b|\btf\.(?:app|flags|log|assign)\b")
_GRAPH_MODE = re.compile(r"disable_v2_behavior|disable_eager_execution|as_default\(")


def look_at(engine: Engine, module: Module) -> Iterator[tuple[Entry, Activation]]:
    """Pseudo runs of the module's eager functions that hold names of TensorFlow 1."""
    if not _MENTIONS.search(module.text):
        return
    graph_mode = _GRAPH_MODE.search(module.text) is not None
    runs: dict[ast.AST, tuple[Entry, Activation, Frame]] = {}
    for statement in module.tree.body:
        if not _MENTIONS.search(module.excerpt(statement.lineno, statement.end_lineno or statement.lineno)):
            continue
        for node, scopes in walk_scopes(statement):
            if not isinstance(node, ast.Attribute):
                continue
            functions = [s for s in scopes if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]
            if not functions or any(a.capture.framework == TENSORFLOW for f in functions for a in engine.by_node.get(id(f), ())):
                continue
            found = lookup_path(node, module)
            if isinstance(found, External) and found.name.startswith("tensorflow."):
                outer = functions[-1]
                if outer not in runs:
                    function = Function(outer, module, ".".join(s.name for s in scopes if isinstance(s, (ast.ClassDef, ast.FunctionDef))))
                    activation = Activation(function, module, ("legacy", id(outer)), {}, AUTOGRAPH)
                    runs[outer] = (Entry(function, None, module, False, AUTOGRAPH), activation, Frame(engine, module, function, activation, {}))
                engine.emit(Legacy(node, runs[outer][2], found.name, graph_mode))
    for entry, activation, _ in runs.values():
        if activation.suspicions:
            yield entry, activation
