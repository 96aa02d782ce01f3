"""Count graphs, breaks and recompilations while a target runs on every input.

Breaks come from the framework's ``graph_breaks`` log. The number of graphs says nothing about them: a break at the end of a function
adds no graph, and a break in a loop can leave none at all.
"""

from __future__ import annotations

import logging
import re
from typing import Any

import torch
import torch._dynamo.convert_frame  # Before anything listens: importing it makes the loggers.
import torch._logging

from .cases import load_cases
from .compiling import compile_with
from .job import Job
from .modules import original_of
from .observe import fresh
from .printed import printed
from .randomness import seed_everything

_PLACE = re.compile(r"in user code at (?P<path>.+):(?P<line>\d+)\n")
_IDENTIFIER = re.compile(r"/gb/(gb\d+)\.html", re.IGNORECASE)
_RECOMPILING = re.compile(r"Recompiling function (?P<function>\S+) in (?P<path>.+):(?P<line>\d+)")
_WRAPPERS = (
    "Encountered graph break when attempting to trace",
    "Encountered graph break that we cannot resume",
    "Failed to handle graph break gracefully",
)
_SKIPPED = _WRAPPERS[1:]


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.breaks: dict[tuple[str, int, str], dict[str, Any]] = {}
        self.recompilations: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if place := _PLACE.search(message):
            found = parse_break(message, place["path"], int(place["line"]))
            self.breaks.setdefault((found["path"], found["line"], found["identifier"] or found["reason"]), found)
        elif place := _RECOMPILING.match(message):
            reasons = [" ".join(line.split("  # ")[0].split()).removeprefix("- ") for line in message.splitlines() if line.strip().startswith("- ")]
            # A function that goes on after a break has a made-up name around its own.
            function = re.sub(r"^torch_dynamo_resume_in_(.*)_at_\d+$", r"\1", place["function"])
            self.recompilations.append(
                {"path": place["path"], "line": int(place["line"]), "function": function, "reasons": reasons}
            )


def parse_break(message: str, path: str, line: int) -> dict[str, Any]:
    """Read one message of the ``graph_breaks`` log."""
    _, _, told = message.partition("Graph Break Reason: ")
    skips = told.startswith(_SKIPPED)
    if told.startswith(_WRAPPERS):
        told = told.partition("\n\n")[2] or told
    identifier = _IDENTIFIER.search(told)
    explanation = re.search(r"Explanation: (.+)", told)
    reason = told.strip().splitlines()[0].strip() if told.strip() else "unknown"
    if explanation and reason.lower() not in explanation[1].lower():
        reason = f"{reason}: {explanation[1].strip()}"
    return {
        "path": path, "line": line, "identifier": identifier[1].upper() if identifier else "", "reason": reason, "skips_frame": skips,
    }  # fmt: skip


def count_graphs(job: Job) -> dict[str, Any]:
    """Do a ``graphs`` job, with a backend that counts and runs the graph as it is."""
    counted: list[int] = []

    def count(graph: torch.fx.GraphModule, example_inputs: list[torch.Tensor]) -> Any:
        counted.append(sum(node.op.startswith("call_") for node in graph.graph.nodes))
        return graph.forward

    log = _listen()
    for case in load_cases(job):
        compiled = compile_with(original_of(case.function), count)
        for number, value in enumerate(case.inputs):
            args, kwargs = fresh(value)
            seed_everything(job.seed + 1 + number)
            with printed():
                try:
                    compiled(*args, **kwargs)
                except (Exception, SystemExit):
                    # The observing process tells what is raised; here only the graphs until then count.
                    continue
    return {
        "graphs": len(counted), "operations": sum(counted), "breaks": list(log.breaks.values()), "recompilations": log.recompilations,
    }  # fmt: skip


def _listen() -> _Log:
    torch._logging.set_logs(
        graph_breaks=True, recompiles=True
    )
    log = _Log()
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("torch"):
            logging.getLogger(name).handlers.clear()
        if name.endswith(("__graph_breaks", "__recompiles")):
            logging.getLogger(name).addHandler(log)
            logging.getLogger(name).propagate = False
    return log
