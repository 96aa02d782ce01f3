"""What ``g2s verify`` does, apart from reading its command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from .errors import VerifyError
from .request import BranchPlace


def _branch(place: str) -> BranchPlace:
    path, colon, line = place.rpartition(":")
    if not colon or not path or not line.isdigit():
        raise VerifyError(f"`{place}` is no place: write it as file.py:41")
    return BranchPlace(path, int(line))


def run(
    target: str,
    *,
    against: str | None = None,
    input: Sequence[str] = (),
    device: str = "cpu",
    mode: str = "default",
    backend: str = "inductor",
    format: str = "text",
    output: Path | None = None,
    time: bool = True,
    gradients: bool = True,
    strides: bool = False,
    branches: Sequence[str] = (),
    seed: int = 0,
    timeout: float = 900.0,
    root: Path | None = None,
    write: Callable[[str], None] = print,
    progress: Callable[[str], None] | None = None,
) -> int:
    """Verify a target and report.

    Args:
        target: ``module:name`` or ``file.py:name``.
        against: the original, as a path or a git revision; without it the source is compared with its own compiled form.
        input: shape specs such as ``float32[8,128]``, one for each positional argument.
        device: ``cpu`` or ``cuda``.
        mode: a mode of ``torch.compile``.
        backend: a backend of ``torch.compile``.
        format: ``text`` or ``json``.
        output: a file to write the report to, instead of handing it to ``write``.
        time: whether to time the sides.
        gradients: whether to compare gradients.
        strides: whether outputs must have equal strides.
        branches: tests, as ``file.py:line`` in the original, whose sides the inputs must both take.
        seed: of all random numbers.
        timeout: seconds after which a process counts as hanging.
        root: the project's folder; the current one by default.
        write: takes the report's text.
        progress: called before each step.

    Returns:
        0 when verified, 1 when not.

    Raises:
        VerifyError: a mistake for the command line to print, with exit code 2.
    """
    from .against import original_source
    from .request import VerifyRequest
    from .text_report import text_report
    from .verify import verify

    if format not in ("text", "json"):
        raise VerifyError(f"--format {format}: there are text and json")
    folder = (root or Path.cwd()).resolve()
    with ExitStack() as stack:
        original, original_target = stack.enter_context(original_source(against, target, folder)) if against else (None, None)
        request = VerifyRequest(
            target, folder, original, original_target, tuple(input), device, mode, backend, time, gradients, strides,
            tuple(_branch(place) for place in branches), seed, timeout,
        )  # fmt: skip
        verdict = verify(request, progress)
    report = json.dumps(verdict.to_json(), indent=2) if format == "json" else text_report(verdict, folder).rstrip("\n")
    if output is None:
        write(report)
    else:
        try:
            output.write_text(report + "\n", encoding="utf-8")
        except OSError as error:
            raise VerifyError(f"{output} cannot be written: {error.strerror}") from None
    return 0 if verdict.verified else 1
