"""Functions of TensorFlow that call functions: each is traced, most as a graph of its own."""

from __future__ import annotations

import ast

from ..binding import Arguments
from ..capture import AUTOGRAPH, TENSORFLOW
from ..frame import Frame, Stage
from ..values import UNKNOWN, BoundMethod, External, Function, Instance, Mapping, Partial, Sequence, Value, Why, join_all
from .values import TFTensor, dtype_named

_CALLABLE = (Function, BoundMethod, Partial, Instance, External)
_HOST = {"py_function", "numpy_function", "compat.v1.py_func", "py_func", "init_scope"}
_BRANCHES = {"cond", "compat.v1.cond", "case", "switch_case", "compat.v1.case"}
_MAPS = {"map_fn", "vectorized_map", "scan", "foldl", "foldr"}
_WRAPPERS = {"custom_gradient", "recompute_grad", "autograph.do_not_convert", "autograph.to_graph", "compat.v1.wrap_function", "function"}


def call_with_functions(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> tuple[bool, Value]:
    """Whether the callable of that name calls functions that it is given, and what it gives back."""
    short = name.removeprefix("tensorflow.")
    if short in _HOST:
        return True, _host(short, arguments, frame, node)
    if short in _BRANCHES:
        return True, _branches(arguments, frame, node)
    if short in ("while_loop", "compat.v1.while_loop"):
        return True, _while_loop(arguments, frame, node)
    if short in _MAPS:
        return True, _mapped(short, arguments, frame, node)
    if short in ("nest.map_structure", "keras.tree.map_structure") and arguments.args:
        return True, _map_structure(arguments.args[0], arguments.args[1:], frame, node)
    if short in _WRAPPERS and arguments.args:
        from .doors import decorated

        function = arguments.args[0]
        return True, decorated(name, function, ast.Name("f", ast.Load()), frame) if isinstance(function, Function) else function
    return False, UNKNOWN


def _map_structure(function: Value, structures: list[Value], frame: Frame, node: ast.AST, depth: int = 0) -> Value:
    """The structure that results when a function is called with the leaves of equal structures."""
    first = structures[0] if structures else UNKNOWN
    if isinstance(first, Sequence) and depth < 4:
        others = [s for s in structures[1:] if isinstance(s, Sequence)]
        if first.elements is None:
            return Sequence(first.kind, None, _map_structure(function, [first.any(), *(o.any() for o in others)], frame, node, depth + 1))
        rows = [[e, *(o.elements[i] if o.elements is not None and i < len(o.elements) else o.any() for o in others)] for i, e in enumerate(first.elements)]
        return Sequence(first.kind, [_map_structure(function, row, frame, node, depth + 1) for row in rows])
    if isinstance(first, Mapping) and depth < 4:
        entries = {k: _map_structure(function, [v, *(s.get(k) for s in structures[1:] if isinstance(s, Mapping))], frame, node, depth + 1) for k, v in first.entries.items()}
        return Mapping(entries, None if first.other is None else _map_structure(function, [first.other], frame, node, depth + 1))
    result = _called(function, structures, frame, node)
    return result if isinstance(first, TFTensor) and not first.likely else UNKNOWN


def _called(function: Value, arguments: list[Value], frame: Frame, node: ast.AST, staged: str = "") -> Value:
    """The result of calling a function that TensorFlow traces, inside a stage of that kind if it has one."""
    from ..calls import call

    if not isinstance(function, _CALLABLE):
        return UNKNOWN
    if staged:
        frame.staging.append(Stage(staged, node, True, dict(frame.env)))
    try:
        return call(function, Arguments(arguments), frame, node)
    finally:
        if staged:
            frame.staging.pop()


def _host(short: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The function runs on the host, outside the graph."""
    dtype = arguments.get(2, "Tout")
    why = Why(f"returned by tf.{short}", frame.module.shown, getattr(node, "lineno", 0))
    if isinstance(dtype, Sequence) and dtype.elements is not None:
        return Sequence("list", [TFTensor(dtype_named(d), None, why) for d in dtype.elements])
    return TFTensor(dtype_named(dtype), None, why)


def _branches(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    functions: list[Value] = []
    for value in (*arguments.args[1:], *arguments.kwargs.values()):
        if isinstance(value, Sequence):
            functions.extend(value.elements or [])
        elif isinstance(value, Mapping):
            functions.extend(value.entries.values())
        else:
            functions.append(value)
    results = [_called(f, [], frame, node, "if") for f in functions if isinstance(f, (Function, BoundMethod, Partial))]
    return join_all(results) if results else UNKNOWN


def _while_loop(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    condition, body, given = arguments.get(0, "cond"), arguments.get(1, "body"), arguments.get(2, "loop_vars")
    if condition is None or body is None:
        return UNKNOWN
    variables = [_as_tensor(v, frame, node) for v in given.elements] if isinstance(given, Sequence) and given.elements is not None else []
    _called(condition, variables, frame, node, "while")
    _called(body, variables, frame, node, "while")
    return Sequence("list", variables) if variables else UNKNOWN


def _as_tensor(value: Value, frame: Frame, node: ast.AST) -> Value:
    from .functions import converted

    made = converted(value, Why("a loop variable", frame.module.shown, getattr(node, "lineno", 0)))
    return made if made is not None else value


def _mapped(short: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    from ..expressions import element_of

    function, elements = arguments.get(0, "fn"), arguments.get(1, "elems")
    if function is None or elements is None:
        return UNKNOWN
    element = Sequence(elements.kind, [element_of(e) for e in elements.elements]) if isinstance(elements, Sequence) and elements.elements is not None else element_of(elements)
    initial = arguments.get(2, "initializer")
    inputs = [element] if short in ("map_fn", "vectorized_map") else [initial if initial is not None else element, element]
    result = _called(function, inputs, frame, node, "for")
    if isinstance(result, TFTensor):
        declared = dtype_named(arguments.kwargs.get("fn_output_signature"))
        return TFTensor(declared or result.dtype, None, result.why)
    return result


def traced_by_dataset(function: Value, element: Value, frame: Frame, node: ast.AST) -> Value:
    """What a function gives back that ``tf.data`` traces and runs on each element: a tuple is spread over its parameters."""
    from ..calls import call

    parts = list(element.elements) if isinstance(element, Sequence) and element.kind == "tuple" and element.elements is not None else [element]
    if not isinstance(function, (Function, BoundMethod, Partial)):
        return UNKNOWN
    outer = frame.capture
    if outer.framework != TENSORFLOW:
        return UNKNOWN  # in eager code a Dataset's functions are entries of their own
    frame.capture = AUTOGRAPH.replace(mapped=True)
    try:
        return call(function, Arguments(parts), frame, node)
    finally:
        frame.capture = outer
