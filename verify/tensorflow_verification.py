"""Run the sides of a TensorFlow target: eager, as a graph of ``tf.function``, and compiled by XLA."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .errors import VerifyError
from .processes import Answer, Nursery
from .request import VerifyRequest
from .side.job import Job
from .sides import Sides
from .timing import time_sides
from .verdict import BranchSides, Difference, Graphs, Outcome, Recompilation, Timing, Tolerance, Verdict

_MODES = ("default", "jit_compile")
_OTHER_DRAWS = 7919
"""How far the seed lies from the first, with which the original shows what it draws at random."""


class TensorFlowVerification:
    """One verification of a TensorFlow target.

    XLA is always tried, since Keras uses it where there is a GPU. What goes wrong there alone counts only with the mode ``jit_compile``,
    or where the function itself asks for XLA; otherwise it is reported beside the verdict.
    """

    def __init__(self, request: VerifyRequest, folder: Path, nursery: Nursery, progress: Callable[[str], None]) -> None:
        if request.mode not in _MODES:
            raise VerifyError(f"--mode {request.mode}: a TensorFlow target has the modes {' and '.join(_MODES)}")
        self.request = request
        self.nursery = nursery
        self.progress = progress
        self.folder = folder
        self.sides = Sides(request, folder, "tensorflow")

    def run(self) -> Verdict:
        """Run every side and judge.

        Raises:
            VerifyError: the original cannot be loaded, or the device does not exist.
        """
        request, sides = self.request, self.sides
        self.progress("running the original")
        planning = replace(sides.job("plan", "plan", original=True), gradients=False)
        other = replace(planning, call_seed=request.seed + _OTHER_DRAWS, result=str(self.folder / "plan_other.json"))
        later = replace(planning, clock_forward=True, result=str(self.folder / "plan_later.json"))
        plans = self.nursery.do({"plan": planning, "other": other, "later": later})
        found = plans["plan"].result
        if found is None:
            return sides.verdict(Outcome.CRASHED, Difference("original", "all inputs", "process", f"the original {plans['plan'].death}"))
        if "error" in found:
            raise VerifyError(found["error"])
        leave_out = tuple(name for name in found["raised"] if "derived input" in name)
        random, clocked = (_changing_leaves(found["samples"], (plans[name].result or {}).get("samples", {})) for name in ("other", "later"))
        jobs = {name: replace(job, leave_out=leave_out, random=random, clocked=clocked) for name, job in self._jobs().items()}
        self.progress("running all sides")
        answers = self.nursery.do(jobs)
        truth = answers["original"].result
        if truth is None or "error" in truth:
            return sides.verdict(Outcome.CRASHED, Difference("original", "all inputs", "process", f"the original {answers['original'].death}"))
        compared = [side for side in ("eager", "compiled", "xla") if side in jobs and sides.ran(side, answers[side])]
        judged = self._judge(jobs, compared, answers["reference"])
        for item in (answers["frozen"].result or {}).get("frozen", []):
            if "compiled" in compared:
                sides.differences.append(Difference("compiled", item["call"], "frozen", item["message"]))
        timing = self._time(jobs, truth["raised"]) if request.time and not sides.disagreements() else None
        return self._conclude(answers, judged, timing)

    def _jobs(self) -> dict[str, Job]:
        request, sides = self.request, self.sides
        branches = tuple((place.path, place.line) for place in request.branches)
        original = sides.job("observe", "original", original=True)
        jobs = {
            "original": replace(original, branches=branches),
            "reference": replace(sides.job("observe", "reference", original=True), reference=True),
        }
        if request.original is not None:
            jobs["eager"] = sides.job("observe", "eager")
        jobs["compiled"] = replace(sides.job("observe", "compiled"), backend="xla" if request.mode == "jit_compile" else "tf.function")
        if request.mode == "default":
            jobs["xla"] = replace(sides.job("observe", "xla"), backend="xla")
        jobs["frozen"] = sides.job("frozen", "frozen")
        return jobs

    def _judge(self, jobs: dict[str, Job], compared: Sequence[str], reference: Answer) -> dict[str, Any]:
        measuring = ["reference"] if reference.result and "error" not in reference.result else []
        return self.sides.judge(self.nursery, jobs, [*measuring, *compared], self.progress)

    def _time(self, jobs: dict[str, Job], raised: list[str]) -> Timing | str:
        self.progress("timing")
        raised_by_xla = any(item.side == "xla" and (item.raises or item.aspect == "process") for item in self.sides.differences)
        sources = {"original": "original", "converted": "eager", "compiled": "compiled", "xla": "xla"}
        timed = {
            name: replace(jobs[side], kind="time", result=str(self.folder / f"time_{name}.json"), skip_calls=tuple(raised), branches=())
            for name, side in sources.items()
            if side in jobs and not (side == "xla" and raised_by_xla)
        }
        return time_sides(timed, self.folder, self.request.seconds_to_time, self.request.timeout)

    def _conclude(self, answers: dict[str, Answer], judged: dict[str, Any], timing: Timing | str | None) -> Verdict:
        sides = self.sides
        truth = answers["original"].result or {}
        compiled = answers["compiled"].result or {}
        graphs = _graphs(compiled.get("traces", []))
        outcomes = sides.outcomes()
        if graphs is not None and graphs.recompilations:
            outcomes.append(Outcome.RETRACES)
        # What the graph does wrong already is not XLA's doing.
        graph_messages = {(item.call, item.aspect, item.message) for item in sides.disagreements()}
        xla = [item for item in sides.differences if item.side == "xla" and (item.call, item.aspect, item.message) not in graph_messages]
        if any(item.raises or item.aspect == "process" for item in xla):
            outcomes.append(Outcome.XLA_RAISES)
        if any(not item.raises and item.aspect != "process" for item in xla):
            outcomes.append(Outcome.XLA_DIFFERS)
        branches = truth["branches"] or {"tests": [], "not_found": []}
        notes = [*judged["notes"], *compiled.get("notes", ())]
        if isinstance(timing, str):
            notes.append(timing)
        return replace(
            sides.verdict(*outcomes),
            differences=tuple(sides.disagreements()),
            xla=tuple(xla),
            calls=len(truth["calls"]),
            compared={side: tuple(aspects) for side, aspects in judged["compared"].items()},
            tolerance=Tolerance(**judged["tolerance"]) if judged["tolerance"] else None,
            graphs=graphs,
            branches=tuple(BranchSides(**test) for test in branches["tests"]),
            branches_not_found=tuple(branches["not_found"]),
            timing=timing if isinstance(timing, Timing) else None,
            notes=tuple(notes),
        )


def _changing_leaves(first: dict[str, list[float]], second: dict[str, list[float]]) -> tuple[str, ...]:
    """The leaves that are another with other seeds or another clock, beyond what rounding does, in any call of the same callable."""
    drawn = {
        _of_any_call(name)
        for name, sample in first.items()
        if name in second and (len(sample) != len(second[name]) or not all(map(_is_close, sample, second[name])))
    }
    return tuple(name for name in first if _of_any_call(name) in drawn)


def _of_any_call(name: str) -> tuple[str, str]:
    call, _, leaf = name.partition("/")
    return call.partition(", ")[0] if call.startswith("pair ") else "", leaf


def _is_close(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=1e-3, abs_tol=1e-6)


def _graphs(traced: list[dict[str, Any]]) -> Graphs | None:
    if not traced:
        return None
    again = [
        Recompilation(item["path"], item["line"], item["function"], (f"{item['count']} traces for {item['justified']} that the inputs call for: {'; '.join(item['reasons'])}",))
        for item in traced
        if item["count"] > item["justified"]
    ]
    return Graphs(graphs=sum(item["count"] for item in traced), operations=sum(item["operations"] for item in traced), recompilations=tuple(again))
