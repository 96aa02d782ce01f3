"""``g2s verify``: hands over to the verifier and tells its errors in one line."""

from __future__ import annotations

import sys
from pathlib import Path


def run_verify(
    target: str,
    *,
    against: str | None,
    input: tuple[str, ...],
    device: str,
    mode: str,
    backend: str,
    format: str,
    output: Path | None,
    time: bool,
    gradients: bool,
    strides: bool,
    branches: tuple[str, ...],
    seed: int,
    timeout: float,
) -> int:
    """Verify and report; returns the exit code. For the arguments see :func:`graph2static.verify.command.run`."""
    from ..verify.command import run
    from ..verify.errors import VerifyError

    try:
        return run(
            target, against=against, input=input, device=device, mode=mode, backend=backend, format=format, output=output, time=time,
            gradients=gradients, strides=strides, branches=branches, seed=seed, timeout=timeout,
        )  # fmt: skip
    except VerifyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
