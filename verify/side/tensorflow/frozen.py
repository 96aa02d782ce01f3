"""Find what a graph reads once, while it is traced, although eager code would read it at each call.

The converted callable is traced several times: as it is, with the clock set forward, with other random numbers, and with another value
of each Python number that the project sets again somewhere. Graphs that differ in their constants have read it.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..job import Job
from ..loading import Case
from .api import np, tf
from .behind import behind
from .capturing import GRAPH, Captured
from .cases import load_cases
from .clock import clock_forward
from .observe import fresh
from .printed import printed
from .randomness import seed_everything
from .rebound import Place, rebound_numbers

_MOST_NUMBERS = 8

Graph = collections.Counter[str]


def frozen(job: Job) -> dict[str, Any]:
    """Do a ``frozen`` job: one message for each call of a case that freezes something."""
    found = []
    for case in load_cases(job):
        if case.inputs:
            found += [{"call": case.names[0], "message": message} for message in _frozen_in(case, job.seed)]
    return {"frozen": found}


def _frozen_in(case: Case, seed: int) -> Iterator[str]:
    # The first trace makes what is made once.
    if _traced(case, seed) is None or (plain := _traced(case, seed)) is None:
        return
    again = _traced(case, seed)
    if again is not None and again != plain:
        yield f"a value that changes by itself, such as the clock or a counter, is read once while tracing{_constants(plain, again)}"
        return
    with clock_forward():
        later = _traced(case, seed)
    if later is not None and later != plain:
        yield f"the clock is read once, while tracing{_constants(plain, later)}"
    other = _traced(case, seed + 1)
    if other is not None and other != plain:
        yield f"random numbers of Python or numpy are drawn once, while tracing{_constants(plain, other)}"
    for name, place in list(rebound_numbers(behind(case.function)).items())[:_MOST_NUMBERS]:
        with _changed(place):
            changed = _traced(case, seed)
        if changed is not None and changed != plain:
            yield f"`{name}` is read once, while tracing: setting it later changes nothing"


def _traced(case: Case, seed: int) -> Graph | None:
    """What the graph of the first input consists of; None when it cannot be traced."""
    captured = Captured(case.function, GRAPH)
    args, kwargs = fresh(case.inputs[0])
    seed_everything(seed)
    with printed():
        try:
            if not captured.as_written:
                return _contents(captured.run.get_concrete_function(*args, **kwargs).graph)  # type: ignore[attr-defined]
            contents: Graph = collections.Counter()
            for inner in captured.behind.functions:
                inner._function_cache.clear()
            captured.run(*args, **kwargs)
            for inner in captured.behind.functions:
                for concrete in inner._function_cache.values():
                    contents += _contents(concrete.graph)
            return contents
        except Exception:
            return None


def _contents(graph: Any) -> Graph:
    """The operations of a graph and of the functions in it, constants with their values; names, which count up, are left out."""
    definition = graph.as_graph_def(add_shapes=False)
    nodes = [*definition.node, *(node for function in definition.library.function for node in function.node_def)]
    return collections.Counter(_shown(node) for node in nodes)


def _shown(node: Any) -> str:
    if node.op != "Const":
        return str(node.op)
    value = tf.make_ndarray(node.attr["value"].tensor)
    shown = np.array2string(value, threshold=20, precision=9) if value.size <= 20 else f"{value.ravel()[:3]}... {hash(value.tobytes())}"
    return f"Const {value.dtype} {shown}"


def _constants(first: Graph, second: Graph) -> str:
    """One constant of each graph that the other does not have."""
    told = [next((item.split(" ", 2)[2] for item in (one - other) if item.startswith("Const ")), "") for one, other in ((first, second), (second, first))]
    return f" ({told[0]}, then {told[1]})" if all(told) else ""


@contextmanager
def _changed(place: Place) -> Iterator[None]:
    kept = place.read()
    try:
        place.write(not kept if isinstance(kept, bool) else kept + 1)
        yield
    finally:
        place.write(kept)
