"""The built wheel, in a clean environment without torch."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from .checkout import PACKAGES, ROOT, copy_checkout, shipped_files

PROGRAM = """
import torch

@torch.compile
def f(x):
    if x.sum() > 0:
        return x * 2
    return x - 1
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    source = copy_checkout(tmp_path_factory.mktemp("source") / "graph2static")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.glob("*.whl"))


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == shipped_files()
    assert {f"graph2static/{name}/py.typed" for name in PACKAGES} <= inside


@pytest.mark.slow
def test_check_works_without_torch(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "env"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel], check=True, capture_output=True)
    assert subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode != 0
    (tmp_path / "model.py").write_text(PROGRAM, encoding="utf-8")
    version = subprocess.run([home / "bin" / "g2s", "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("g2s ")
    done = subprocess.run([home / "bin" / "g2s", "check", "--format", "json", "model.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert [(f["code"], f["line"]) for f in json.loads(done.stdout)["findings"]] == [("PTC101", 6)]
