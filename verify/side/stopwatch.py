"""Time one side on demand: the parent asks the sides in turn, so that a slow moment of the machine meets them all."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from .cases import load_cases
from .compiling import check_backend, compile_with, run_eagerly
from .job import Job
from .modules import original_of
from .observe import fresh
from .printed import printed
from .randomness import seed_everything

_WARM_UP = 3


def serve(job: Job, answers: int) -> dict[str, Any]:
    """Warm up, tell the first passes' seconds, then time a block of passes for every number read from stdin."""
    if job.backend:
        check_backend(job.backend)
        # Both would make compiling look cheaper than a user's first run is.
        torch._inductor.config.force_disable_caches = True
    else:
        run_eagerly()
    calls: list[tuple[Callable[..., Any], Any]] = []
    for case in load_cases(job):
        function = original_of(case.function)
        run = compile_with(function, job.backend, job.mode) if job.backend else function
        calls += [(run, value) for name, value in zip(case.names, case.inputs, strict=True) if name not in job.skip_calls]
    cuda = job.device.startswith("cuda")
    warm_up = [_pass(calls, job.seed, cuda) for _ in range(_WARM_UP)]
    _answer(answers, {"warm_up": warm_up, "calls": len(calls)})
    if cuda:
        torch.cuda.reset_peak_memory_stats()
    for line in sys.stdin:
        passes = int(line)
        if passes == 0:
            break
        _answer(answers, {"seconds": [_pass(calls, job.seed, cuda) for _ in range(passes)]})
    peak = torch.cuda.max_memory_allocated() if cuda else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
    return {"peak_memory": peak}


_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def _pass(calls: list[tuple[Callable[..., Any], Any]], seed: int, cuda: bool) -> float:
    """The seconds that all calls take together, without the copying of their inputs."""
    total = 0.0
    seed_everything(seed)
    with printed():
        for run, value in calls:
            args, kwargs = fresh(value)
            if cuda:
                torch.cuda.synchronize()
            start = time.perf_counter()
            run(*args, **kwargs)
            if cuda:
                torch.cuda.synchronize()
            total += time.perf_counter() - start
    return total


def _answer(answers: int, message: dict[str, Any]) -> None:
    os.write(answers, json.dumps(message).encode() + b"\n")
