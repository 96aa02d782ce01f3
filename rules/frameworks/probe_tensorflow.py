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

from .probe_arguments import DTYPES, SHAPES, calls, required, tensor
from .tensorflow_definitions import by_definition, operation_of

_SECONDS = 30.0


class Probed(NamedTuple):
    """What is known of a function: kind of result, rule for its dtype, and the operations that a call of it puts into a graph."""

    result: str = ""
    dtype: str = ""
    operations: tuple[str, ...] = ()


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
    found = []
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
    names = required(function)
    ways: dict[str, _Way] = {}
    results: dict[str, Any] = {}
    for dtype in DTYPES if names else DTYPES[:1]:
        way, result = _first_way(tf, function, names, dtype, next(iter(ways.values()), None))
        if way is not None:
            ways[dtype], results[dtype] = way, result
    if not ways:
        return Probed(*(defined or ("", "")), (name,) if (name := operation_of(function)) else ())
    dtype, way = next(iter(ways.items()))
    arguments = _arguments(tf, names, dtype, way)
    operations = _traced(tf, function, arguments) or ((name,) if (name := operation_of(function)) else ())
    if defined is not None:
        return Probed(*defined, operations)
    kind = kind_of(tf, results[dtype])
    variants = {d: list(_variants(tf, function, _arguments(tf, names, d, w), w.shape)) for d, w in ways.items()}
    if not kind or any(kind_of(tf, other) not in (kind, "") for others in variants.values() for other in others):
        return Probed("", "", operations)
    return Probed(kind, _dtype_rule(tf, function, names, ways, results, variants), operations)


def _first_way(tf: Any, function: Callable[..., Any], names: list[str], dtype: str, known: _Way | None) -> tuple[_Way | None, Any]:
    """The first way to call the function with a tensor of a dtype; the one that served for another dtype comes first."""
    for shape in [known.shape, *SHAPES] if known else SHAPES:
        try:
            patterns = list(calls(tf, names, tensor(tf, dtype, shape)))
        except Exception:
            continue
        order = [known.pattern, *range(len(patterns))] if known else range(len(patterns))
        for number in order:
            try:
                result = function(*patterns[number])
            except Exception:
                continue
            if result is not None or not names:
                return _Way(shape, number), result
    return None, None


def _arguments(tf: Any, names: list[str], dtype: str, way: _Way) -> tuple[Any, ...]:
    return list(calls(tf, names, tensor(tf, dtype, way.shape)))[way.pattern]


def _variants(tf: Any, function: Callable[..., Any], arguments: tuple[Any, ...], shape: tuple[int, ...]) -> Iterator[Any]:
    """Results of the same call with each flag turned, and with a tensor for all parameters that may be left out."""
    parameters = _optional(function)
    other = tensor(tf, "float64", shape)
    left_out = [name for name, default in parameters.items() if default is None and name not in ("name", "seed", "num") and not _names_a_type(name)]
    for extra in (*({name: not default} for name, default in parameters.items() if isinstance(default, bool)), dict.fromkeys(left_out, other), *({name: other} for name in left_out)):
        try:
            yield function(*arguments, **extra)
        except Exception:
            continue


def _optional(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def _names_a_type(name: str) -> bool:
    return "dtype" in name or name in ("type", "out_type", "output_type", "out_idx", "index_type", "Tout")


def _dtype_rule(tf: Any, function: Callable[..., Any], names: list[str], ways: dict[str, _Way], results: dict[str, Any], variants: dict[str, list[Any]]) -> str:
    """How the dtype of the result follows from the arguments, "" where the calls do not agree on a rule."""
    seen = {dtype: dtype_of(tf, result) for dtype, result in results.items()}
    if any(dtype_of(tf, other) != seen[dtype] for dtype, others in variants.items() for other in others):
        return ""
    dtype, way = next(iter(ways.items()))
    arguments = _arguments(tf, names, dtype, way)
    values = set(seen.values())
    asked = _asked_for(tf, function, names, arguments)
    if asked:
        if asked in names:
            return f"argument:{asked}:"
        return f"argument:{asked}:{values.pop()}" if len(values) == 1 else "" if set(seen) != values else "first"
    same = all(given == got for given, got in seen.items())
    if same and names and (len(seen) > 1 or next(iter(seen)) not in ("bool", "string")):
        return "first"
    return values.pop() if len(values) == 1 else ""


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
