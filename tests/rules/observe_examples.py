"""Run snippets through the real framework, all in this process: JSON in, JSON out.

    python -m tests.rules.observe_examples FOLDER < names-and-sources.json

Every snippet defines ``f`` and ``make_args``. The answer gives, for each name, the breaks as ``[line, id]``, the number of graphs, and
the error, if calling the compiled function raised one.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import sys
import warnings
from pathlib import Path
from typing import Any

from ..fixtures.observe import Observation, Recorder


def observe(folder: Path, name: str, source: str) -> dict[str, Any]:
    """Compile and call one snippet."""
    import torch

    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    recorder, error = Recorder(folder), None
    recorder.current = seen = Observation()
    torch._dynamo.reset()
    torch.manual_seed(0)
    with recorder.listening(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            torch.compile(module.f, backend=recorder.backend)(*module.make_args())
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
    return {"breaks": sorted((line, gb) for _, line, gb in seen.breaks), "graphs": seen.graphs, "error": error}


def main() -> None:
    """Answer the question on standard input."""
    folder = Path(sys.argv[1]).resolve()
    sources = json.load(sys.stdin)
    answers = {name: observe(folder, name, source) for name, source in sources.items()}
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
