"""Find out what TensorFlow's public functions return: by the definition of their operation, else by calling and tracing them.

The calls run in a forked worker, so that one that crashes, hangs or changes the state of the process costs itself alone.
"""

from __future__ import annotations

import inspect
import os
import pickle
import select
import signal
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .probe_arguments import DTYPES, calls, required, shapes, tensor
from .tensorflow_definitions import by_definition, operation_of

_SECONDS = 30.0


class Probed(NamedTuple):
    """What is known of a function.

    Attributes:
        result: the kind of its result.
        dtype: how the dtype of the result follows from the arguments.
        varying: the parameters that, given, change the kind or the dtype of the result.
        operations: what a call of it puts into a graph, empty where no call could be traced.
        called: whether any call worked.
    """

    result: str = ""
    dtype: str = ""
    varying: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    called: bool = False


def probe_all(tf: Any, functions: list[Callable[..., Any]]) -> list[Probed]:
    """Probe each function; one that kills or blocks its worker counts as unknown."""
    found: list[Probed] = []
    while len(found) < len(functions):
        found += _in_worker(tf, functions[len(found) :])
        if len(found) < len(functions):
            found.append(Probed())
    return found


def _in_worker(tf: Any, functions: list[Callable[..., Any]]) -> list[Probed]:
    """The answers of one worker, as many as it lives to give."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            with os.fdopen(writing, "wb") as answers:
                for function in functions:
                    pickle.dump(_probe(tf, function), answers)
                    answers.flush()
        finally:
            os._exit(0)
    os.close(writing)
    found: list[Probed] = []
    with os.fdopen(reading, "rb", buffering=0) as answers:
        while len(found) < len(functions) and select.select([answers], [], [], _SECONDS)[0]:
            try:
                found.append(pickle.load(answers))
            except EOFError:
                break
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return found


class _Way(NamedTuple):
    """A way of calling that worked: the shape of the tensor and the number of the pattern of arguments."""

    shape: tuple[int, ...]
    pattern: int


def _probe(tf: Any, function: Callable[..., Any]) -> Probed:
    defined = by_definition(tf, function)
    generated = (name,) if (name := operation_of(function)) else ()
    names = required(function)
    ways: dict[str, _Way] = {}
    results: dict[str, Any] = {}
    for dtype in DTYPES if names else DTYPES[:1]:
        way, result = _first_way(tf, function, names, dtype, next(iter(ways.values()), None))
        if way is not None:
            ways[dtype], results[dtype] = way, result
    if not ways:
        return Probed(*(defined or ("", "")), (), generated)
    dtype, way = next(iter(ways.items()))
    operations = _traced(tf, function, _arguments(tf, names, dtype, way)) or generated
    if defined is not None:
        return Probed(*defined, (), operations, True)
    kind = kind_of(tf, results[dtype])
    rule, asked = _dtype_rule(tf, function, names, ways, results)
    varying = {asked} if asked and rule == "first" else set()
    for each, (shape, _) in ways.items():
        for extra, other in _variants(tf, function, _arguments(tf, names, each, ways[each]), shape):
            if kind_of(tf, other) != kind:
                if not all(isinstance(value, bool) for value in extra.values()):
                    kind = ""
                varying |= set(extra) - {""}
            elif dtype_of(tf, other) != dtype_of(tf, results[each]):
                rule = ""
    return Probed(kind, rule if kind else "", tuple(sorted(varying)) if kind else (), operations, True)


def _first_way(tf: Any, function: Callable[..., Any], names: list[str], dtype: str, known: _Way | None) -> tuple[_Way | None, Any]:
    """The first way to call the function with a tensor of a dtype, in the pattern that served for another dtype if there was one."""
    returns_none = None
    for shape in [known.shape] if known else shapes(names):
        try:
            patterns = list(calls(tf, names, tensor(tf, dtype, shape)))
        except Exception:
            continue
        for number in [known.pattern] if known else range(len(patterns)):
            try:
                result = function(*patterns[number])
            except Exception:
                continue
            if result is not None:
                return _Way(shape, number), result
            returns_none = returns_none or _Way(shape, number)
    return returns_none, None


def _arguments(tf: Any, names: list[str], dtype: str, way: _Way) -> tuple[Any, ...]:
    return list(calls(tf, names, tensor(tf, dtype, way.shape)))[way.pattern]


def _variants(tf: Any, function: Callable[..., Any], arguments: tuple[Any, ...], shape: tuple[int, ...]) -> Iterator[tuple[dict[str, Any], Any]]:
    """What was changed, and the result: each flag turned, tensors for parameters that may be left out, and a second tensor of another dtype."""
    parameters = _optional(function)
    other = tensor(tf, "float64", shape)
    left_out = [name for name, default in parameters.items() if default is None and name not in ("name", "seed", "num") and not _names_a_type(name)]
    changes: list[dict[str, Any]] = [{name: not default} for name, default in parameters.items() if isinstance(default, bool)]
    changes += [dict.fromkeys(left_out, other), *({name: other} for name in left_out)]
    for extra in changes:
        try:
            yield extra, function(*arguments, **extra)
        except Exception:
            continue
    if len(arguments) > 1 and tf.is_tensor(arguments[0]) and tf.is_tensor(arguments[1]):
        try:
            yield {"": other}, function(arguments[0], tf.cast(arguments[1], tf.float64), *arguments[2:])
        except Exception:
            return


def _optional(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def _names_a_type(name: str) -> bool:
    return "dtype" in name or name in ("type", "out_type", "output_type", "out_idx", "index_type", "Tout")


def _dtype_rule(tf: Any, function: Callable[..., Any], names: list[str], ways: dict[str, _Way], results: dict[str, Any]) -> tuple[str, str]:
    """How the dtype of the result follows from the arguments, "" where the calls do not agree on a rule; and the parameter that overrides it."""
    seen = {dtype: dtype_of(tf, result) for dtype, result in results.items()}
    values = set(seen.values())
    only = values.pop() if len(values) == 1 else ""
    dtype, way = next(iter(ways.items()))
    asked = _asked_for(tf, function, names, _arguments(tf, names, dtype, way))
    if asked in names:
        return f"argument:{asked}:", asked
    same = bool(names) and all(given == got for given, got in seen.items())
    if same and (len(seen) > 1 or next(iter(seen)) not in ("bool", "string")):
        return "first", asked
    return (f"argument:{asked}:{only}" if asked and only else only), asked


def _asked_for(tf: Any, function: Callable[..., Any], names: list[str], arguments: tuple[Any, ...]) -> str:
    """The parameter that says the dtype of the result, if there is one."""
    for name in (*names, *_optional(function)):
        if not _names_a_type(name):
            continue
        got = set()
        for wanted in ("int64", "float64", "float32", "int32", "uint16"):
            dtype = tf.as_dtype(wanted)
            positional = [dtype if other == name else argument for other, argument in zip(names, arguments)]
            try:
                got.add((wanted, dtype_of(tf, function(*positional, **({} if name in names else {name: dtype})))))
            except Exception:
                continue
        if len(got) > 1 and all(wanted == came for wanted, came in got):
            return name
    return ""


def _traced(tf: Any, function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, ...]:
    """The types of the operations that the call puts into a graph, those of the functions it calls among them."""
    flat = tf.nest.flatten(arguments, expand_composites=True)
    tensors = [item for item in flat if tf.is_tensor(item)]

    def call(*given: Any) -> Any:
        rest = iter(given)
        packed = tf.nest.pack_sequence_as(arguments, [next(rest) if tf.is_tensor(item) else item for item in flat], expand_composites=True)
        function(*packed)

    try:
        definition = tf.function(call, autograph=False).get_concrete_function(*tensors).graph.as_graph_def()
    except Exception:
        return ()
    nodes = [*definition.node, *(node for body in definition.library.function for node in body.node_def)]
    return tuple(sorted({node.op for node in nodes}))


def kind_of(tf: Any, result: Any) -> str:
    """The kind of a result: "Tensor", "list", "tuple:Tensor,static" ..., "" for one that has no name here."""
    if result is None:
        return "None"
    for kind, known in (("Ragged", tf.RaggedTensor), ("Sparse", tf.SparseTensor), ("Variable", tf.Variable), ("Dataset", tf.data.Dataset)):
        if isinstance(result, known):
            return kind
    if tf.is_tensor(result):
        return "Tensor"
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return "namedtuple:" + ",".join(f"{name}={kind_of(tf, part)}" for name, part in zip(result._fields, result))
    if isinstance(result, tuple):
        return "tuple:" + ",".join(kind_of(tf, part) for part in result)
    if isinstance(result, list):
        return "list"
    if isinstance(result, (bool, int, float, str, bytes, tf.TensorShape, tf.DType)) or type(result).__module__ == "numpy":
        return "static"
    return ""


def dtype_of(tf: Any, result: Any) -> str:
    """The dtype of the first tensor of a result, "" for one that has none."""
    flat = [item for item in tf.nest.flatten(result, expand_composites=False) if tf.is_tensor(item)]
    return str(flat[0].dtype.name) if flat else ""


__all__ = ["Probed", "dtype_of", "kind_of", "probe_all"]
