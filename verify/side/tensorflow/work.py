"""Do the jobs of a TensorFlow target."""

from __future__ import annotations

import importlib
from typing import Any

from ...errors import VerifyError
from ..job import Job


def do(job: Job, answers: int) -> dict[str, Any]:
    """Do one job; gives its result.

    Raises:
        VerifyError: TensorFlow is not installed, or the user made a mistake.
    """
    try:
        importlib.import_module("tensorflow")
    except ImportError:
        raise VerifyError("tensorflow is not installed here: install graph2static[tensorflow] beside the project") from None
    if job.kind == "judge":
        from .judge import judge

        return judge(job)
    if job.kind == "plan":
        from .plan import plan

        return plan(job)
    if job.kind == "frozen":
        from .frozen import frozen

        return frozen(job)
    if job.kind == "time":
        from .stopwatch import serve

        return serve(job, answers)
    from .observe import observe

    return observe(job)
