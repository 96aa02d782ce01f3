"""The hooks, run by the real pre-commit on a real repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..convert.running import BREAKS, CLEAN

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout as a repository of its own, so that uncommitted changes are tried too."""
    copy = tmp_path_factory.mktemp("hooks") / "graph2static"
    ignored = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "dist", "__pycache__", ".*_cache", "fixtures", "tests")
    shutil.copytree(ROOT, copy, ignore=ignored)
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
