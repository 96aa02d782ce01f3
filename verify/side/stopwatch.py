"""Time one side on demand."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from .cases import load_cases
from .compiling import check_backend, compile_with, run_eagerly
from .job import Job
from .modules import original_of
from .observe import fresh
from .passes import peak_memory, serve_passes
from .printed import printed
from .randomness import seed_everything

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
    serve_passes(
        lambda: _pass(calls, job.seed, cuda), len(calls), answers, torch.cuda.reset_peak_memory_stats if cuda else lambda: None
    )
    return {"peak_memory": torch.cuda.max_memory_allocated() if cuda else peak_memory()}


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
