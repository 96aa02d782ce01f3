"""Start the child processes, one for each side, and read what they found."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .side.job import Job

if TYPE_CHECKING:
    from typing_extensions import Self

_AT_ONCE = 2


@dataclass(frozen=True)
class Answer:
    """What came of a child: its result, or how it died."""

    result: dict[str, Any] | None
    death: str = ""


class Nursery:
    """A process that has the framework loaded and forks one process for each job; ends with the ``with`` block, and its children with it."""

    def __init__(self, folder: Path, timeout: float, framework: str) -> None:
        self.folder = folder
        self.timeout = timeout
        self.framework = framework

    def __enter__(self) -> Self:
        with open(self.folder / "nursery.stderr", "wb") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "graph2static.verify.side.nursery", self.framework], cwd=self.folder, env=environment_of(self.folder),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0,
            )  # fmt: skip
        self._running: dict[int, tuple[str, float]] = {}
        self._overdue: set[int] = set()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for process in self._running:
            _kill(process)
        end(self._process)

    def do(self, jobs: Mapping[str, Job]) -> dict[str, Answer]:
        """Run the jobs, a few at once, to their ends."""
        waiting = list(jobs)
        starting: list[str] = []
        answers: dict[str, Answer] = {}
        while len(answers) < len(jobs):
            while waiting and len(self._running) + len(starting) < _AT_ONCE:
                starting.append(waiting.pop(0))
                self._send(jobs[starting[-1]])
            words = self._receive()
            if not words:
                death = f"could not be started: {_last_line(self.folder / 'nursery.stderr')}"
                return {name: answers.get(name, Answer(None, death)) for name in jobs}
            process = int(words[1])
            if words[0] == "started":
                self._running[process] = (starting.pop(0), time.monotonic() + self.timeout)
            else:
                name, _ = self._running.pop(process)
                answers[name] = self._answer(jobs[name], process, int(words[2]))
        return answers

    def _send(self, job: Job) -> None:
        note = Path(job.result).with_suffix(".job")
        job.write(note)
        try:
            os.write(self._process.stdin.fileno(), f"{note}\t{_errors_of(job)}\n".encode())  # type: ignore[union-attr]
        except BrokenPipeError:
            # The nursery is gone; receiving tells so.
            return

    def _receive(self) -> list[str]:
        """The words of the nursery's next line; meanwhile, end children that take too long."""
        assert self._process.stdout is not None
        while True:
            due = min((deadline for process, (_, deadline) in self._running.items() if process not in self._overdue), default=None)
            patience = None if due is None else max(0.0, due - time.monotonic())
            if select.select([self._process.stdout], [], [], patience)[0]:
                return self._process.stdout.readline().decode().split()
            for process, (_, deadline) in self._running.items():
                if deadline <= time.monotonic() and process not in self._overdue:
                    self._overdue.add(process)
                    _kill(process)

    def _answer(self, job: Job, process: int, code: int) -> Answer:
        if process in self._overdue:
            return Answer(None, f"did not end within {self.timeout:g} seconds")
        path = Path(job.result)
        if code == 0 and path.is_file():
            result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return Answer(result)
        last = _last_line(_errors_of(job))
        how = f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        return Answer(None, how + (f": {last}" if last else ""))


def command_of(job: Job) -> list[str]:
    """Write the job down and give the command that does it in a fresh Python."""
    note = Path(job.result).with_suffix(".job")
    job.write(note)
    return [sys.executable, "-m", "graph2static.verify.side", str(note)]


def environment_of(folder: Path) -> dict[str, str]:
    """The user's environment, with compiled code kept apart from that of other runs."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "2"}
    return {**quiet, **os.environ, "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "PYTHONDONTWRITEBYTECODE": "1"}


def end(child: subprocess.Popen[bytes]) -> None:
    """End a child that still runs, and close its pipes."""
    if child.poll() is None:
        child.kill()
        child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            pipe.close()


def _errors_of(job: Job) -> Path:
    return Path(job.result).with_suffix(".stderr")


def _last_line(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines() if path.is_file() else []
    return lines[-1] if lines else ""


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
