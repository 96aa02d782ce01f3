"""Prove a rewrite: run the original, the converted and the compiled source, and compare what they do."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .errors import VerifyError
from .framework import TENSORFLOW, TORCH, framework_of
from .processes import Answer, Nursery
from .request import VerifyRequest
from .shape_spec import parse_shape_spec
from .sides import Sides, job_of
from .target import parse_target
from .tensorflow_verification import TensorFlowVerification
from .timing import time_sides
from .verdict import BranchSides, Difference, GraphBreak, Graphs, Outcome, Recompilation, Timing, Tolerance, Verdict


def verify(request: VerifyRequest, progress: Callable[[str], None] | None = None) -> Verdict:
    """Run every side in a process of its own and judge.

    Args:
        request: what to verify.
        progress: called with a few words before each step.

    Raises:
        VerifyError: the target, an input or the device does not exist, or the original itself cannot be loaded.
    """
    parse_target(request.target)
    for spec in request.inputs:
        parse_shape_spec(spec)
    for root in filter(None, (request.converted, request.original)):
        if not root.is_dir():
            raise VerifyError(f"{root} is no folder")
    with tempfile.TemporaryDirectory(prefix="g2s-verify-", ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        # The original decides: a source that cannot be imported, or that a rewrite spoilt, tells no framework.
        framework = framework_of(job_of(request, folder, "probe", "probe", "", original=True), folder, request.timeout)
        verification = TensorFlowVerification if framework == TENSORFLOW else _TorchVerification
        with Nursery(folder, request.timeout, framework) as nursery:
            return verification(request, folder, nursery, progress or (lambda step: None)).run()


class _TorchVerification:
    def __init__(self, request: VerifyRequest, folder: Path, nursery: Nursery, progress: Callable[[str], None]) -> None:
        if request.mode != "default" and request.backend != "inductor":
            raise VerifyError(f"--mode {request.mode} is a mode of inductor; the backend {request.backend} has none")
        self.request = request
        self.folder = folder
        self.nursery = nursery
        self.progress = progress
        self.sides = Sides(request, folder, TORCH)

    def run(self) -> Verdict:
        request = self.request
        original = self.sides.job("observe", "original", original=True)
        original = replace(original, reference=True, branches=tuple((place.path, place.line) for place in request.branches))
        self.progress("running the original")
        answers = self.nursery.do({"original": original, "graphs": self.sides.job("graphs", "graphs")})
        truth = answers["original"]
        if truth.result is not None and "error" in truth.result:
            raise VerifyError(truth.result["error"])
        if truth.result is None:
            return self.sides.verdict(Outcome.CRASHED, Difference("original", "all inputs", "process", f"the original {truth.death}"))
        jobs = {"original": original}
        if request.original is not None:
            jobs["eager"] = self.sides.job("observe", "eager")
            jobs["graphs_original"] = self.sides.job("graphs", "graphs_original", original=True)
        jobs["compiled"] = replace(self.sides.job("observe", "compiled"), backend=request.backend, mode=request.mode)
        self.progress("running the converted and the compiled source" if "eager" in jobs else "running the compiled source")
        answers |= self.nursery.do({name: job for name, job in jobs.items() if name not in answers})
        sides = [side for side in jobs if side in ("eager", "compiled") and self.sides.ran(side, answers[side])]
        judged = self.sides.judge(self.nursery, jobs, sides, self.progress)
        timing = self._time(truth.result["raised"]) if request.time and not self.sides.differences else None
        return self._conclude(answers, judged, timing)

    def _time(self, raised: list[str]) -> Timing | str:
        self.progress("timing")
        jobs = {"original": self.sides.job("time", "time_original", original=True)}
        if self.request.original is not None:
            jobs["converted"] = self.sides.job("time", "time_converted")
        jobs["compiled"] = replace(self.sides.job("time", "time_compiled"), backend=self.request.backend, mode=self.request.mode)
        jobs = {name: replace(job, skip_calls=tuple(raised)) for name, job in jobs.items()}
        return time_sides(jobs, self.folder, self.request.seconds_to_time, self.request.timeout)

    def _conclude(self, answers: dict[str, Answer], judged: dict[str, Any], timing: Timing | str | None) -> Verdict:
        truth = answers["original"].result or {}
        graphs = _graphs(answers["graphs"])
        outcomes = self.sides.outcomes()
        if graphs is not None and graphs.breaks:
            outcomes.append(Outcome.BREAKS)
        branches = truth["branches"] or {"tests": [], "not_found": []}
        notes = list(judged["notes"])
        if graphs is None:
            notes.append("the graphs could not be counted: " + (answers["graphs"].death or "the target cannot be loaded"))
        if isinstance(timing, str):
            notes.append(timing)
        return replace(
            self.sides.verdict(*outcomes),
            differences=tuple(self.sides.differences),
            calls=len(truth["calls"]),
            compared={side: tuple(aspects) for side, aspects in judged["compared"].items()},
            tolerance=Tolerance(**judged["tolerance"]) if judged["tolerance"] else None,
            graphs_original=_graphs(answers["graphs_original"]) if "graphs_original" in answers else None,
            graphs=graphs,
            branches=tuple(BranchSides(**test) for test in branches["tests"]),
            branches_not_found=tuple(branches["not_found"]),
            timing=timing if isinstance(timing, Timing) else None,
            notes=tuple(notes),
        )


def _graphs(answer: Answer) -> Graphs | None:
    if answer.result is None or "error" in answer.result:
        return None
    found = answer.result
    return Graphs(
        graphs=found["graphs"],
        operations=found["operations"],
        breaks=tuple(GraphBreak(**item) for item in found["breaks"]),
        recompilations=tuple(Recompilation(**{**item, "reasons": tuple(item["reasons"])}) for item in found["recompilations"]),
    )
