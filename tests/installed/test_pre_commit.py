"""The hooks, run by the real pre-commit on a real repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..convert.running import BREAKS, CLEAN
from .checkout import copy_checkout

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout as a repository of its own, so that uncommitted changes are tried too."""
    copy = copy_checkout(tmp_path_factory.mktemp("hooks") / "graph2static")
    _commit(copy)
    return copy


def _commit(folder: Path) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "all"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)


def run_hook(hooks: Path, project: Path, hook: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """``pre-commit try-repo`` of one hook over all files."""
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), hook, "--all-files", "--verbose"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, env={**os.environ, "PRE_COMMIT_HOME": str(cache)})


def test_the_check_hook_fails_on_a_break_and_honours_excludes(hooks: Path, tmp_path: Path) -> None:
    project, cache = tmp_path / "project", tmp_path / "cache"
    project.mkdir()
    (project / "model.py").write_text(BREAKS)
    (project / "legacy.py").write_text(BREAKS)
    (project / "pyproject.toml").write_text('[tool.g2s]\nexclude = ["legacy.py"]\n')
    _commit(project)
    done = run_hook(hooks, project, "g2s-check", cache)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "model.py:6:8: PTC101" in done.stdout
    assert "legacy.py:" not in done.stdout
    (project / "model.py").write_text(CLEAN)
    assert run_hook(hooks, project, "g2s-check", cache).returncode == 0


READS_A_RANGE = """import torch


@torch.compile
def f(x: torch.Tensor):
    total = x
    for step in torch.arange(3).tolist():
        total = total + step
    return total
"""


def test_the_convert_hook_rewrites_what_is_safe_and_passes_the_second_time(hooks: Path, tmp_path: Path) -> None:
    project, cache = tmp_path / "project", tmp_path / "cache"
    project.mkdir()
    (project / "model.py").write_text(READS_A_RANGE)
    (project / "branch.py").write_text(BREAKS)
    _commit(project)
    first = run_hook(hooks, project, "g2s-convert", cache)
    assert first.returncode == 1, first.stdout + first.stderr
    assert "files were modified by this hook" in first.stdout
    assert (project / "model.py").read_text() == READS_A_RANGE.replace("torch.arange(3).tolist()", "list(range(3))")
    assert (project / "branch.py").read_text() == BREAKS
    _commit(project)
    second = run_hook(hooks, project, "g2s-convert", cache)
    assert second.returncode == 0, second.stdout + second.stderr
