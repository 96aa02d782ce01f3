"""Start the child processes, one for each side, and read what they found."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .side.job import Job


@dataclass(frozen=True)
class Answer:
    """What came of a child: its result, or how it died."""

    result: dict[str, Any] | None
    death: str = ""


def command_of(job: Job, folder: Path) -> list[str]:
    """Write the job down and give the command that does it."""
    note = Path(job.result).with_suffix(".job")
    job.write(note)
    return [sys.executable, "-m", "graph2static.verify.side", str(note)]


def environment_of(folder: Path) -> dict[str, str]:
    """The user's environment, with compiled code kept apart from that of other runs."""
    return {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "PYTHONDONTWRITEBYTECODE": "1"}


def do(job: Job, folder: Path, timeout: float) -> Answer:
    """Run one child to its end."""
    errors = Path(job.result).with_suffix(".stderr")
    with open(errors, "w+b") as stderr:
        child = subprocess.Popen(
            command_of(job, folder), cwd=job.root, env=environment_of(folder),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr,
        )  # fmt: skip
        try:
            code = child.wait(timeout)
        except subprocess.TimeoutExpired:
            return Answer(None, f"did not end within {timeout:g} seconds")
        finally:
            end(child)
        return answer_of(job, code, stderr)


def answer_of(job: Job, code: int, stderr: IO[bytes]) -> Answer:
    """Read the result of a child that ended."""
    path = Path(job.result)
    if code == 0 and path.is_file():
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Answer(result)
    stderr.seek(0)
    lines = stderr.read().decode("utf-8", "replace").strip().splitlines()
    last = f": {lines[-1]}" if lines else ""
    if code < 0:
        return Answer(None, f"was killed by {_signal_name(-code)}{last}")
    return Answer(None, f"ended with exit code {code}{last}")


def end(child: subprocess.Popen[bytes]) -> None:
    """End a child that still runs."""
    if child.poll() is None:
        child.kill()
        child.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
