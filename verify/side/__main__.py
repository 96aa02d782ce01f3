"""``python -m graph2static.verify.side JOB``: do one job and write its result.

A mistake of the user becomes ``{"error": ...}`` in the result; only a crash leaves no result.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from ..errors import VerifyError
from .job import Job


def _do(job: Job, answers: int) -> dict[str, Any]:
    if job.kind == "probe":
        from .probing import probe

        return probe(job)
    if job.framework == "tensorflow":
        from .tensorflow.work import do

        return do(job, answers)
    try:
        import torch  # noqa: F401
    except ImportError:
        raise VerifyError("torch is not installed here: install graph2static[torch] beside the project") from None
    if job.kind == "judge":
        from .judge import judge

        return judge(job)
    if job.kind == "observe":
        from .observe import observe

        return observe(job)
    if job.kind == "graphs":
        from .graphs import count_graphs

        return count_graphs(job)
    from .stopwatch import serve

    return serve(job, answers)


def work(note: Path) -> None:
    """Do the job that was written down, and write its result."""
    job = Job.read(note)
    # The user's code owns stdout; what the parent reads goes through a descriptor of its own.
    answers = os.dup(1)
    os.dup2(2, 1)
    src = Path(job.root) / "src"
    if src.is_dir():
        sys.path.insert(1, str(src))
    try:
        result = _do(job, answers)
    except VerifyError as error:
        result = {"error": str(error)}
    Path(job.result).write_text(json.dumps(result), encoding="utf-8")
    if "error" in result:
        os.write(answers, b'{"failed": true}\n')


if __name__ == "__main__":
    work(Path(sys.argv[1]))
