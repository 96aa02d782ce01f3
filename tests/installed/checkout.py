"""A copy of the checkout to build from.

Building in the checkout itself would leave ``build/`` behind, out of which setuptools packs modules that no longer exist.
"""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rules", "convert", "verify")
_NOT_SOURCE = (".git", ".venv", ".*_cache", ".hypothesis", "*.egg-info", "__pycache__", "build", "dist", "fixtures", "tests")


def copy_checkout(target: Path) -> Path:
    """The sources as they lie in the working tree, uncommitted changes included, copied to ``target``."""
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*_NOT_SOURCE))
    return target


def shipped_files() -> set[str]:
    """The path inside the wheel of every module and data file of the three packages."""
    return {
        f"graph2static/{path.relative_to(ROOT).as_posix()}"
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
