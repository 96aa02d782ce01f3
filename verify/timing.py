"""Time the sides in turn, and say what the difference is worth."""

from __future__ import annotations

import json
import math
import random
import select
import statistics
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from .processes import command_of, end, environment_of
from .side.job import Job
from .verdict import Speed, Timing

_LEAST_ROUNDS, _MOST_ROUNDS = 7, 40
_BLOCK_SECONDS = 0.02
_RESAMPLES = 1000


def time_sides(jobs: dict[str, Job], folder: Path, seconds: float, timeout: float) -> Timing | str:
    """Measure the sides ``original``, ``converted`` and ``xla`` (if there) and ``compiled``; a text instead when one cannot be timed."""
    with ExitStack() as stack:
        watches = {}
        # One after the other: what one side compiles must not slow down another's first calls.
        for name, job in jobs.items():
            watch = _Watch(job, folder, timeout)
            stack.callback(watch.close)
            watch.start = watch.receive()
            if "warm_up" not in watch.start:
                return f"not timed: the {name} side {watch.start.get('error', 'ended while warming up')}"
            watches[name] = watch
        blocks = {name: max(1, math.ceil(_BLOCK_SECONDS / max(watch.start["warm_up"][-1], 1e-7))) for name, watch in watches.items()}
        blocks = {name: min(block, 10_000) for name, block in blocks.items()}
        samples: dict[str, list[float]] = {name: [] for name in watches}
        stop = time.monotonic() + seconds
        for round_number in range(_MOST_ROUNDS):
            if round_number >= _LEAST_ROUNDS and time.monotonic() > stop:
                break
            for name, watch in watches.items():
                watch.send(blocks[name])
                answer = watch.receive()
                if "seconds" not in answer:
                    return f"not timed: the {name} side {answer.get('error', 'ended while it was timed')}"
                samples[name].append(statistics.median(answer["seconds"]))
        peaks = {name: watch.finish() for name, watch in watches.items()}
        return _timing(samples, peaks, {name: watch.start for name, watch in watches.items()})


def _timing(samples: dict[str, list[float]], peaks: dict[str, int], starts: dict[str, dict[str, Any]]) -> Timing:
    speeds = {name: Speed(statistics.median(values), *_interval(values), peaks[name]) for name, values in samples.items()}
    original, compiled = speeds["original"].median, speeds["compiled"].median
    compile_seconds = _compile_seconds(starts["compiled"], compiled)
    calls = starts["compiled"]["calls"]
    pays = math.ceil(compile_seconds / (original - compiled) * calls) if compiled < original else None
    low, high = _ratio_interval(samples["original"], samples["compiled"])
    return Timing(
        speeds["original"], speeds.get("converted"), speeds["compiled"], calls, len(samples["compiled"]),
        original / compiled, low, high, compile_seconds, pays,
        speeds.get("xla"), _compile_seconds(starts["xla"], speeds["xla"].median) if "xla" in speeds else None,
    )  # fmt: skip


def _compile_seconds(start: dict[str, Any], median: float) -> float:
    warm_up: list[float] = start["warm_up"]
    return max(0.0, sum(warm_up) - len(warm_up) * median)


def _interval(values: list[float]) -> tuple[float, float]:
    generator = random.Random(0)
    return _bounds([statistics.median(generator.choices(values, k=len(values))) for _ in range(_RESAMPLES)])


def _ratio_interval(first: list[float], second: list[float]) -> tuple[float, float]:
    """Rounds are drawn in pairs, so that a slow moment of the machine counts for both sides."""
    generator = random.Random(0)
    ratios = []
    for _ in range(_RESAMPLES):
        drawn = generator.choices(range(len(first)), k=len(first))
        ratios.append(statistics.median([first[i] for i in drawn]) / statistics.median([second[i] for i in drawn]))
    return _bounds(ratios)


def _bounds(values: list[float]) -> tuple[float, float]:
    ordered = sorted(values)
    return ordered[int(0.025 * len(ordered))], ordered[int(0.975 * len(ordered)) - 1]


class _Watch:
    """A side that waits for orders."""

    def __init__(self, job: Job, folder: Path, timeout: float) -> None:
        self.job = job
        self.timeout = timeout
        self.start: dict[str, Any] = {}
        self.child = subprocess.Popen(
            command_of(job), cwd=job.root, env=environment_of(folder),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def send(self, passes: int) -> None:
        assert self.child.stdin is not None
        try:
            self.child.stdin.write(f"{passes}\n".encode())
            self.child.stdin.flush()
        except BrokenPipeError:
            # The child is gone; receiving tells so.
            return

    def receive(self) -> dict[str, Any]:
        assert self.child.stdout is not None
        if not select.select([self.child.stdout], [], [], self.timeout)[0]:
            return {"error": f"did not answer within {self.timeout:g} seconds"}
        line = self.child.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {}
        if "failed" in answer:
            self.child.wait(self.timeout)
            answer = json.loads(Path(self.job.result).read_text(encoding="utf-8"))
        return answer

    def finish(self) -> int:
        self.send(0)
        self.child.wait(self.timeout)
        path = Path(self.job.result)
        return int(json.loads(path.read_text(encoding="utf-8"))["peak_memory"]) if path.is_file() else 0

    def close(self) -> None:
        end(self.child)
