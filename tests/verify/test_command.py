"""``run``: exit codes, reports, the other version of the source, and errors for a user's mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from graph2static.verify.command import run
from graph2static.verify.errors import VerifyError

from .conftest import write_project

RIGHT = "def f(x):\n    return x * 2\n"
WRONG = "def f(x):\n    return x * 3\n"
INPUTS = "[(torch.ones(3),)]"


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], cwd=root, check=True, capture_output=True
    )


def quick(target: str, **options: object) -> tuple[int, str]:
    told: list[str] = []
    code = run(target, backend="aot_eager", time=False, write=told.append, **options)  # type: ignore[arg-type]
    return code, "\n".join(told)


def test_against_a_git_revision(tmp_path: Path) -> None:
    root = write_project(tmp_path, "project", RIGHT, INPUTS)
    provider = (root / "inputs.py").read_text(encoding="utf-8")
    (root / "inputs.py").unlink()
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    # The provider is newer than the revision, which must not matter.
    (root / "inputs.py").write_text(provider, encoding="utf-8")
    (root / "model.py").write_text("import torch\n" + WRONG, encoding="utf-8")
    code, told = quick("inputs:make", against="HEAD", root=root)
    assert code == 1
    assert "eager, input 1, outputs: out: 3 of 3 elements differ, the first at [0] 3, not 2" in told
    assert told.endswith("NOT VERIFIED: eager differs, compile differs.")
    assert not list(Path(tempfile.gettempdir()).glob("g2s-against-*/model.py"))


def test_against_a_copy_and_a_file(tmp_path: Path) -> None:
    root = write_project(tmp_path, "project", RIGHT, INPUTS)
    other = write_project(tmp_path, "other", "def f(x):\n    return x + x\n", INPUTS)
    assert quick("inputs:make", against=str(other), root=root)[0] == 0
    assert quick("model:f", against=str(other / "model.py"), input=["float32[4]"], root=root)[0] == 0


def test_shapes_instead_of_a_provider_and_json(tmp_path: Path) -> None:
    root = write_project(tmp_path, "project", "class Net(torch.nn.Linear):\n    def __init__(self):\n        super().__init__(8, 2)\n", "()")
    output = tmp_path / "report.json"
    assert quick("model.py:Net", input=["float32[3,8]"], format="json", output=output, root=root) == (0, "")
    report = json.loads(output.read_text(encoding="utf-8"))
    assert report["verified"] and report["outcomes"] == ["agrees"] and report["calls"] == 1


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("model", {}, "is no target"),
        ("absent:make", {}, "No module named 'absent'"),
        ("absent.py:make", {}, "there is no file"),
        ("inputs:absent", {}, "has no `absent`"),
        ("model:f", {}, "missing 1 required positional argument"),
        ("model:f", {"input": ["float33[2]"]}, "no dtype `float33`"),
        ("model:f", {"input": ["float32"]}, "write it as float32[8,128]"),
        ("model:f", {"input": ["int64[2]:5:5"]}, "the range is empty"),
        ("inputs:make", {"against": "no-such-revision"}, "neither a path nor a git revision"),
        ("inputs:make", {"mode": "max-autotune"}, "is a mode of inductor"),
        ("inputs:make", {"format": "yaml"}, "there are text and json"),
    ],
)
def test_mistakes_are_told(target: str, options: dict[str, object], message: str, tmp_path: Path) -> None:
    root = write_project(tmp_path, "project", RIGHT, INPUTS)
    with pytest.raises(VerifyError) as error:
        quick(target, root=root, **options)
    assert message in str(error.value)
    assert "Traceback" not in str(error.value)


def test_a_provider_that_returns_something_else(tmp_path: Path) -> None:
    root = write_project(tmp_path, "project", "def f():\n    return 3\n", INPUTS)
    with pytest.raises(VerifyError, match=r"must return \(callable, inputs\).*returned int"):
        quick("model:f", root=root)


def test_a_backend_that_does_not_exist(tmp_path: Path) -> None:
    root = write_project(tmp_path, "project", RIGHT, INPUTS)
    with pytest.raises(VerifyError, match="torch has no such backend"):
        run("inputs:make", backend="absent", time=False, root=root)


def test_cuda_without_a_device(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    root = write_project(tmp_path, "project", RIGHT, INPUTS)
    with pytest.raises(VerifyError, match="torch sees no CUDA device"):
        quick("inputs:make", device="cuda", root=root)


def test_the_command_loads_no_framework() -> None:
    code = "import sys; import graph2static.verify.command, graph2static.verify.verify; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
