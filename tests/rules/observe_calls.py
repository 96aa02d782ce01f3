"""What Dynamo does with one call in the middle of a function: print the ids of the graph breaks at its line, as JSON by name.

Run with the names as arguments; each in a process of its own, forked from one that has torch imported.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import multiprocessing
import re
import sys
import tempfile
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
from outside_calls import CALLS, PRELUDE


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


def observe(name: str) -> list[str]:
    """The ids of the breaks at the line of the call."""
    path = Path(tempfile.mkdtemp(), "snippet.py")
    path.write_text(f"{PRELUDE}def f(x):\n    y = x + 1\n    {CALLS[name]}\n    return y * 2\n", encoding="utf-8")
    line = PRELUDE.count("\n") + 3
    spec = importlib.util.spec_from_file_location("snippet", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler = _Lines()
    torch._logging.set_logs(graph_breaks=True)
    log = logging.getLogger("torch._dynamo.symbolic_convert.__graph_breaks")
    log.addHandler(handler)
    log.propagate = False
    try:
        torch.compile(module.f, backend="eager")(torch.randn(4, 3))
    except Exception as error:
        return [f"raises {type(error).__name__}"]
    places = (f"snippet.py:{line}", f'snippet.py", line {line}')
    here = [text for text in handler.texts if any(place in text for place in places)]
    return sorted({"GB" + number for text in here for number in re.findall(r"\bgb(\d{4})", text, re.IGNORECASE)} or ({"?"} if here else set()))


def _send(name: str, queue: multiprocessing.Queue[list[str]]) -> None:
    queue.put(observe(name))


def main() -> None:
    """Observe each call that is named."""
    context = multiprocessing.get_context("fork")
    seen = {}
    for name in sys.argv[1:]:
        queue: multiprocessing.Queue[list[str]] = context.Queue()
        process = context.Process(target=_send, args=(name, queue))
        process.start()
        seen[name] = queue.get(timeout=120)
        process.join()
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
