"""Run snippets eagerly and through ``tf.function``, each in a child of its own: JSON in, JSON out.

    python -m tests.rules.observe_tensorflow_examples < names-and-sources.json

Every snippet defines ``f`` and ``make_args(i)``, and may define ``observe()`` (Python state to compare), ``canon(results)`` (what of the results
to compare), ``traces()``, ``DECORATED`` (``f`` carries its own tf.function) and ``TF_FUNCTION_KWARGS``. The answer gives for each name "ok",
"differs", "retraces" or the type of the exception that the graph raised where eager code did not. A pair of sources is an original, which runs
eagerly, and a rewrite of it, which runs as a graph.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any

CALLS = 3


def plain(value: Any) -> Any:
    """A result as something that compares by value."""
    import tensorflow as tf

    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tf.Tensor, tf.Variable)):
        value = value.numpy()
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, float):
        return float(f"{value:.4g}")
    return value if isinstance(value, (int, str, bool, type(None), list)) else repr(type(value))


def run(name: str, source: str, graph: bool) -> dict[str, Any]:
    """Call a snippet's function; what came back, was printed and is left behind."""
    import tensorflow as tf

    tf.config.run_functions_eagerly(not graph)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        function = module.f
        if graph and not getattr(module, "DECORATED", False):
            function = tf.function(function, **getattr(module, "TF_FUNCTION_KWARGS", {}))
        results: list[Any] = []
        errors: list[str] = []
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            for number in range(CALLS):
                try:
                    results.append(plain(function(*module.make_args(number))))
                except Exception as raised:
                    errors.append(type(raised).__name__)
                    results.append(f"raises {errors[-1]}")
        traces = module.traces() if hasattr(module, "traces") else getattr(function, "experimental_get_tracing_count", lambda: 1)()
        state = None
        if not errors and hasattr(module, "observe"):
            try:
                state = plain(module.observe())
            except Exception as raised:
                state = type(raised).__name__
        shown = module.canon(results) if hasattr(module, "canon") else results
        return {"results": shown, "errors": errors, "printed": printed.getvalue(), "state": state, "traces": traces}


def in_child(name: str, source: str, graph: bool) -> dict[str, Any]:
    """The same in a forked child, which shares nothing with the next one but TensorFlow's code."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            with os.fdopen(writing, "wb") as out:
                pickle.dump(run(name, source, graph), out)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else {"results": None, "errors": ["crashed"], "printed": "", "state": None, "traces": 0}


def verdict(name: str, source: str, rewritten: str | None = None) -> str:
    """What the graph, of the rewritten source if there is one, does that eager code does not."""
    eager, graph = in_child(name, source, False), in_child(name, rewritten or source, True)
    if graph["errors"] and (not eager["errors"] or len(graph["errors"]) == CALLS):
        return str(graph["errors"][0])
    if any(eager[key] != graph[key] for key in ("results", "printed", "state")):
        return "differs"
    return "retraces" if graph["traces"] >= CALLS else "ok"


def main() -> None:
    """Answer the question on standard input."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    import tensorflow  # noqa: F401  (loaded once, before the children are forked)

    sources = json.load(sys.stdin)
    pairs = {name: [source] if isinstance(source, str) else source for name, source in sources.items()}
    print(json.dumps({name: verdict(name, *pair) for name, pair in pairs.items()}))


if __name__ == "__main__":
    main()
