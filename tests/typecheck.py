"""Type-check the packages as they are once installed: mypy strict on a wheel-like copy.

The folders of the checkout become subpackages only by the mapping in pyproject.toml, so they are laid out under their real names first.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run mypy; returns its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "graph2static")
        for name in ("rules", "convert", "verify"):
            shutil.copytree(ROOT / name, package / name, ignore=shutil.ignore_patterns("__pycache__"))
        command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--namespace-packages", "-p", "graph2static"]
        return subprocess.run(command, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
