"""Time one side of a TensorFlow target on demand."""

from __future__ import annotations

import time
from typing import Any

from ..job import Job
from ..loading import Input
from ..passes import peak_memory, serve_passes
from .api import tf
from .capturing import XLA, Captured, is_compiled_by_xla
from .cases import load_cases
from .observe import fresh
from .printed import printed
from .randomness import seed_everything


def serve(job: Job, answers: int) -> dict[str, Any]:
    """Warm up, tell the first passes' seconds, then time a block of passes for every number read from stdin."""
    calls: list[tuple[Captured, Input]] = []
    for case in load_cases(job):
        captured = Captured(case.function, XLA if job.backend and is_compiled_by_xla(case.function) else job.backend)
        calls += [(captured, value) for name, value in zip(case.names, case.inputs, strict=True) if name not in job.skip_calls]
    # Not before each pass: seeding throws away what TensorFlow has prepared to run.
    seed_everything(job.seed)
    gpu = job.device.startswith("cuda")
    serve_passes(
        lambda: _pass(calls, gpu), len(calls), answers, (lambda: tf.config.experimental.reset_memory_stats("GPU:0")) if gpu else lambda: None
    )
    return {"peak_memory": tf.config.experimental.get_memory_info("GPU:0")["peak"] if gpu else peak_memory()}


def _pass(calls: list[tuple[Captured, Input]], gpu: bool) -> float:
    """The seconds that all calls take together, without the copying of their inputs."""
    total = 0.0
    with printed():
        for captured, value in calls:
            args, kwargs = fresh(value)
            start = time.perf_counter()
            captured.run(*args, **kwargs)
            if gpu:
                tf.test.experimental.sync_devices()
            total += time.perf_counter() - start
    return total
