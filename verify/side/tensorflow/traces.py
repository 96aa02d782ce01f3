"""Count how often a callable was traced, against what its inputs call for.

Another dtype or shape calls for a trace, and so does another flag or None. Another Python number, text or object does not: passed as a
tensor it would not cost one. A function that makes its variables in its first call is traced twice for it.
"""

from __future__ import annotations

from typing import Any

from ..loading import Input
from .api import np, tf
from .behind import python_function
from .capturing import Captured


def traces_of(captured: Captured, calls: list[tuple[Input, Any]]) -> dict[str, Any]:
    """The number of traces, how many are justified, the size of the graph, and which Python arguments changed."""
    values = [value for value, _ in calls]
    signatures = {repr(_signature(value)) for value in values}
    made_variables = bool(getattr(captured.run, "_created_variables", None)) or any(
        getattr(inner, "_created_variables", None) for inner in captured.behind.functions
    )
    failed = sum(1 for _, raised in calls if raised)
    count = captured.traces()
    function = python_function(captured.function)
    return {
        "count": count,
        "justified": len(signatures) + made_variables + failed,
        "operations": _operations(captured),
        "function": getattr(function, "__qualname__", type(captured.function).__qualname__),
        "path": function.__code__.co_filename if function else "",
        "line": function.__code__.co_firstlineno if function else 0,
        "reasons": _changing(values),
    }


def _signature(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return str(value.dtype), value.shape
    if tf.is_tensor(value) or isinstance(value, tf.Variable):
        return str(getattr(value, "dtype", "")), str(getattr(value, "shape", ""))
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, dict):
        return {key: _signature(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_signature(item) for item in value]
    return type(value).__name__


def _changing(values: list[Input]) -> list[str]:
    """The positions of Python values that differ between calls, with what they are."""
    found = []
    flat = [tf.nest.flatten(value) for value in values]
    for position, items in enumerate(zip(*flat, strict=False)):
        shown = list(dict.fromkeys(repr(item) for item in items if isinstance(item, int | float | str) and not isinstance(item, bool)))
        if len(shown) > 1:
            found.append(f"Python argument {position + 1} is {', then '.join(shown[:3])}; a tensor would not be traced anew")
    if not found:
        found = [f"argument {position + 1} is a new {type(items[0]).__name__} at each call" for position, items in enumerate(zip(*flat, strict=False)) if _is_object(items)]
    return found or ["something besides the dtypes and shapes of its arguments changes"]


def _is_object(items: tuple[Any, ...]) -> bool:
    return not tf.is_tensor(items[0]) and hasattr(items[0], "__dict__") and len({id(item) for item in items}) > 1


def _operations(captured: Captured) -> int:
    functions: list[Any] = captured.behind.functions if captured.as_written else [captured.run]
    graphs = [concrete.graph for each in functions for concrete in list(each._function_cache.values())[:1]]
    return sum(len(graph.get_operations()) for graph in graphs)
