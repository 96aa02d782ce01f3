"""Prove a rewrite: run the original, the converted and the compiled source, and compare what they do."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .errors import VerifyError
from .processes import Answer, Nursery
from .request import VerifyRequest
from .shape_spec import parse_shape_spec
from .side.job import Job
from .target import parse_target
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
    if request.mode != "default" and request.backend != "inductor":
        raise VerifyError(f"--mode {request.mode} is a mode of inductor; the backend {request.backend} has none")
    for root in filter(None, (request.converted, request.original)):
        if not root.is_dir():
            raise VerifyError(f"{root} is no folder")
    with (
        tempfile.TemporaryDirectory(prefix="g2s-verify-", ignore_cleanup_errors=True) as folder,
        Nursery(Path(folder), request.timeout) as nursery,
    ):
        return _Verification(request, Path(folder), nursery, progress or (lambda step: None)).run()


class _Verification:
    def __init__(self, request: VerifyRequest, folder: Path, nursery: Nursery, progress: Callable[[str], None]) -> None:
        self.request = request
        self.folder = folder
        self.nursery = nursery
        self.progress = progress
        self.differences: list[Difference] = []

    def run(self) -> Verdict:
        request = self.request
        original = self._job("observe", "original", original=True)
        original = replace(original, reference=True, branches=tuple((place.path, place.line) for place in request.branches))
        self.progress("running the original")
        answers = self.nursery.do({"original": original, "graphs": self._job("graphs", "graphs")})
        truth = answers["original"]
        if truth.result is not None and "error" in truth.result:
            raise VerifyError(truth.result["error"])
        if truth.result is None:
            return self._verdict(Outcome.CRASHED, Difference("original", "all inputs", "process", f"the original {truth.death}"))
        jobs = {"original": original}
        if request.original is not None:
            jobs["eager"] = self._job("observe", "eager")
            jobs["graphs_original"] = self._job("graphs", "graphs_original", original=True)
        jobs["compiled"] = replace(self._job("observe", "compiled"), backend=request.backend, mode=request.mode)
        self.progress("running the converted and the compiled source" if "eager" in jobs else "running the compiled source")
        answers |= self.nursery.do({name: job for name, job in jobs.items() if name not in answers})
        sides = [side for side in jobs if side in ("eager", "compiled") and self._ran(side, answers[side])]
        judged = self._judge(jobs, sides)
        timing = self._time(truth.result["raised"]) if request.time and not self.differences else None
        return self._conclude(answers, judged, timing)

    def _job(self, kind: str, name: str, original: bool = False) -> Job:
        request = self.request
        root = request.original if original and request.original is not None else request.converted
        target = request.original_target if original and request.original_target else request.target
        return Job(
            kind=kind, target=target, root=str(root.resolve()), result=str(self.folder / f"{name}.json"), inputs=request.inputs,
            device=request.device, seed=request.seed, gradients=request.gradients, strides=request.strides,
            must_be_in_root=request.original is not None, observations=str(self.folder / f"{name}.pt"),
        )  # fmt: skip

    def _ran(self, side: str, answer: Answer) -> bool:
        """Whether a side has anything to compare; if not, why becomes a difference."""
        if answer.result is None:
            self.differences.append(Difference(side, "all inputs", "process", f"the process {answer.death}"))
        elif "error" in answer.result:
            if self.request.original is None or answer.result["error"].startswith("--"):
                raise VerifyError(answer.result["error"])
            self.differences.append(Difference(side, "all inputs", "exceptions", answer.result["error"], raises=True))
        else:
            return True
        return False

    def _judge(self, jobs: dict[str, Job], sides: list[str]) -> dict[str, Any]:
        if not sides:
            return {"compared": {}, "tolerance": None, "notes": []}
        self.progress("comparing")
        compare = tuple((side, jobs[side].observations) for side in ("original", *sides))
        answer = self.nursery.do({"judge": replace(self._job("judge", "judge"), compare=compare)})["judge"]
        if answer.result is None:
            raise VerifyError(f"the results could not be compared: the process {answer.death}")
        self.differences += [Difference(**difference) for difference in answer.result["differences"]]
        return answer.result

    def _time(self, raised: list[str]) -> Timing | str:
        self.progress("timing")
        jobs = {"original": self._job("time", "time_original", original=True)}
        if self.request.original is not None:
            jobs["converted"] = self._job("time", "time_converted")
        jobs["compiled"] = replace(self._job("time", "time_compiled"), backend=self.request.backend, mode=self.request.mode)
        jobs = {name: replace(job, skip_calls=tuple(raised)) for name, job in jobs.items()}
        return time_sides(jobs, self.folder, self.request.seconds_to_time, self.request.timeout)

    def _conclude(self, answers: dict[str, Answer], judged: dict[str, Any], timing: Timing | str | None) -> Verdict:
        truth = answers["original"].result or {}
        graphs = _graphs(answers["graphs"])
        outcomes = _outcomes(self.differences)
        if graphs is not None and graphs.breaks:
            outcomes.append(Outcome.BREAKS)
        branches = truth["branches"] or {"tests": [], "not_found": []}
        notes = list(judged["notes"])
        if graphs is None:
            notes.append("the graphs could not be counted: " + (answers["graphs"].death or "the target cannot be loaded"))
        if isinstance(timing, str):
            notes.append(timing)
        return replace(
            self._verdict(*outcomes),
            differences=tuple(self.differences),
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

    def _verdict(self, *found: Outcome | Difference) -> Verdict:
        request = self.request
        return Verdict(
            target=request.target,
            outcomes=tuple(item for item in found if isinstance(item, Outcome)),
            differences=tuple(item for item in found if isinstance(item, Difference)),
            seed=request.seed,
            device=request.device,
            backend=request.backend,
            mode=request.mode,
            two_sources=request.original is not None,
        )


def _outcomes(differences: list[Difference]) -> list[Outcome]:
    outcomes = []
    compiled = [difference for difference in differences if difference.side == "compiled" and difference.aspect != "process"]
    if any(difference.side == "eager" and difference.aspect != "process" for difference in differences):
        outcomes.append(Outcome.EAGER_DIFFERS)
    if any(difference.raises for difference in compiled):
        outcomes.append(Outcome.COMPILE_RAISES)
    if not all(difference.raises for difference in compiled):
        outcomes.append(Outcome.COMPILE_DIFFERS)
    if any(difference.aspect == "process" for difference in differences):
        outcomes.append(Outcome.CRASHED)
    return outcomes or [Outcome.AGREES]


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
