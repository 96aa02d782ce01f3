"""Run ``g2s`` in a folder as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "from graph2static.convert.command import main; main()"]


def g2s(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The finished command."""
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False, env={**env, **environment})


BREAKS = """import torch


@torch.compile
def f(x: torch.Tensor):
    if x.sum() > 0:
        return x * 2
    print("small")
    return x - 1
"""
CLEAN = """import torch


@torch.compile
def f(x: torch.Tensor):
    return x * 2
"""
