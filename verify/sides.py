"""What the verifications of both frameworks share: the jobs of the sides, what became of them, and the outcomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .errors import VerifyError
from .processes import Answer, Nursery
from .request import VerifyRequest
from .side.job import Job
from .verdict import Difference, Outcome, Verdict


class Sides:
    """The sides of one verification, and the differences between them."""

    def __init__(self, request: VerifyRequest, folder: Path, framework: str) -> None:
        self.request = request
        self.folder = folder
        self.framework = framework
        self.differences: list[Difference] = []

    def job(self, kind: str, name: str, original: bool = False) -> Job:
        """A job on the converted source, or on the original one."""
        return job_of(self.request, self.folder, kind, name, self.framework, original)

    def ran(self, side: str, answer: Answer) -> bool:
        """Whether a side has anything to compare; if not, why becomes a difference.

        Raises:
            VerifyError: the one source that there is, or an option, is wrong.
        """
        if answer.result is None:
            self.differences.append(Difference(side, "all inputs", "process", f"the process {answer.death}"))
        elif "error" in answer.result:
            if self.request.original is None or answer.result["error"].startswith("--"):
                raise VerifyError(answer.result["error"])
            self.differences.append(Difference(side, "all inputs", "exceptions", answer.result["error"], raises=True))
        else:
            return True
        return False

    def judge(self, nursery: Nursery, jobs: dict[str, Job], sides: list[str], progress: Callable[[str], None]) -> dict[str, Any]:
        """Compare the sides with the original; a side ``reference`` only tells how exact the original is.

        Raises:
            VerifyError: the comparing process died.
        """
        if not set(sides) - {"reference"}:
            return {"compared": {}, "tolerance": None, "notes": []}
        progress("comparing")
        compare = tuple((side, jobs[side].observations) for side in ("original", *sides))
        job = replace(self.job("judge", "judge"), compare=compare, random=jobs["original"].random, clocked=jobs["original"].clocked)
        answer = nursery.do({"judge": job})["judge"]
        if answer.result is None:
            raise VerifyError(f"the results could not be compared: the process {answer.death}")
        self.differences += [Difference(**difference) for difference in answer.result["differences"]]
        return answer.result

    def disagreements(self) -> list[Difference]:
        """The differences that count: all but those of XLA where nobody asked for it."""
        return [difference for difference in self.differences if difference.side != "xla"]

    def outcomes(self) -> list[Outcome]:
        """How the verification ended, from the differences that count."""
        found = self.disagreements()
        outcomes = []
        compiled = [difference for difference in found if difference.side == "compiled" and difference.aspect != "process"]
        if any(difference.side == "eager" and difference.aspect != "process" for difference in found):
            outcomes.append(Outcome.EAGER_DIFFERS)
        if any(difference.raises for difference in compiled):
            outcomes.append(Outcome.COMPILE_RAISES)
        if not all(difference.raises for difference in compiled):
            outcomes.append(Outcome.COMPILE_DIFFERS)
        if any(difference.aspect == "process" for difference in found):
            outcomes.append(Outcome.CRASHED)
        return outcomes or [Outcome.AGREES]

    def verdict(self, *found: Outcome | Difference) -> Verdict:
        """A verdict with what the request says, and nothing compared yet."""
        request = self.request
        return Verdict(
            target=request.target,
            outcomes=tuple(item for item in found if isinstance(item, Outcome)),
            differences=tuple(item for item in found if isinstance(item, Difference)),
            seed=request.seed,
            device=request.device,
            backend=request.backend if self.framework == "torch" else "tf.function",
            mode=request.mode,
            two_sources=request.original is not None,
            framework=self.framework,
        )


def job_of(request: VerifyRequest, folder: Path, kind: str, name: str, framework: str, original: bool = False) -> Job:
    """A job on the source that is verified, or on the original one."""
    root = request.original if original and request.original is not None else request.converted
    target = request.original_target if original and request.original_target else request.target
    return Job(
        kind=kind, target=target, root=str(root.resolve()), result=str(folder / f"{name}.json"), inputs=request.inputs,
        device=request.device, seed=request.seed, gradients=request.gradients, strides=request.strides,
        must_be_in_root=request.original is not None, observations=str(folder / f"{name}.observed"), framework=framework,
    )  # fmt: skip
