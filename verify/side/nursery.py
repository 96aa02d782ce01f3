"""``python -m graph2static.verify.side.nursery FRAMEWORK``: load it once, then fork a process for every job named on stdin.

Loading a framework takes longer than most sides take to run. For each line ``JOB_FILE STDERR_FILE`` the answers are ``started PID`` and, once
the process is gone, ``ended PID CODE``. A job for another device than the CPU starts Python anew, since its driver does not survive a fork.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import sys
from pathlib import Path

from .__main__ import work
from .job import Job


def main() -> None:
    """Serve until stdin ends."""
    # A project without the framework is told so by its first job.
    with contextlib.suppress(ImportError):
        importlib.import_module("torch._dynamo.convert_frame" if sys.argv[1] == "torch" else "tensorflow")
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(wake)
    pending = b""
    while True:
        readable = select.select([0, woken], [], [])[0]
        if woken in readable:
            os.read(woken, 4096)
            _reap()
        if 0 in readable:
            data = os.read(0, 65536)
            if not data:
                return
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                job, _, errors = line.decode().partition("\t")
                _start(Path(job), errors)


def _start(note: Path, errors: str) -> None:
    process = os.fork()
    if process:
        os.write(1, f"started {process}\n".encode())
        return
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.dup2(log, 2)
    job = Job.read(note)
    os.chdir(job.root)
    if job.device != "cpu":
        os.execv(sys.executable, [sys.executable, "-m", "graph2static.verify.side", str(note)])
    sys.path[0] = job.root
    code = 1
    try:
        work(note)
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        # Not `sys.exit`: what the nursery has open is not the child's to close.
        os._exit(code)


def _reap() -> None:
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not process:
            return
        os.write(1, f"ended {process} {os.waitstatus_to_exitcode(status)}\n".encode())


if __name__ == "__main__":
    main()
