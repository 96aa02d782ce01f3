"""A small project for each test, written into a folder of its own."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from graph2static.verify.request import BranchPlace, VerifyRequest
from graph2static.verify.verdict import Verdict
from graph2static.verify.verify import verify

Project = Callable[[str, str], Path]
Compare = Callable[..., Verdict]


def write_project(folder: Path, name: str, source: str, inputs: str) -> Path:
    """A project with ``model.py`` and a provider in ``inputs.py`` that gives the function ``f``."""
    root = folder / name
    root.mkdir()
    (root / "model.py").write_text("import torch\n" + textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
    (root / "inputs.py").write_text(
        f"import torch\nimport model\n\n\ndef make():\n    return model.f, {inputs}\n", encoding="utf-8"
    )
    return root


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    """Verify a converted source against an original one."""

    def run(
        original: str, converted: str, inputs: str, backend: str = "aot_eager", branches: tuple[int, ...] = (), strides: bool = False
    ) -> Verdict:
        return verify(
            VerifyRequest(
                "inputs:make",
                write_project(tmp_path, "converted", converted, inputs),
                original=write_project(tmp_path, "original", original, inputs),
                backend=backend,
                time=False,
                strides=strides,
                branches=tuple(BranchPlace("model.py", line) for line in branches),
            )
        )

    return run


@pytest.fixture
def alone(tmp_path: Path) -> Compare:
    """Verify one source against its own compiled form."""

    def run(source: str, inputs: str, backend: str = "aot_eager", time: bool = False, timeout: float = 300.0) -> Verdict:
        root = write_project(tmp_path, "project", source, inputs)
        return verify(VerifyRequest("inputs:make", root, backend=backend, time=time, timeout=timeout, seconds_to_time=0.5))

    return run
