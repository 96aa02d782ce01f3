"""Convert a folder as a user does, with everything that may be applied on request."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "from graph2static.convert.command import main; main()"]


def convert_in_place(folder: Path) -> None:
    """Run ``g2s convert --unsafe --write`` on a folder that is a project of its own."""
    done = subprocess.run([*COMMAND, "convert", "--unsafe", "--write", "."], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
