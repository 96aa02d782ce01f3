"""The list of packages in pyproject.toml is the tree: a folder that is not named there would be missing once installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from .checkout import PACKAGES, ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture(scope="module")
def setuptools_table() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]


def test_every_folder_with_modules_is_listed_and_nothing_else(setuptools_table: dict[str, Any]) -> None:
    folders = {path.parent.relative_to(ROOT) for name in PACKAGES for path in (ROOT / name).rglob("*.py")}
    assert sorted(setuptools_table["packages"]) == sorted("graph2static." + ".".join(folder.parts) for folder in folders)
    assert [str(folder) for folder in sorted(folders) if not (ROOT / folder / "__init__.py").exists()] == []


def test_every_data_file_is_matched_by_package_data(setuptools_table: dict[str, Any]) -> None:
    matched: set[Path] = set()
    for package, patterns in setuptools_table["package-data"].items():
        folder = ROOT.joinpath(*package.split(".")[1:])
        for pattern in patterns:
            found = set(folder.glob(pattern))
            assert found, f"{pattern} of {package} matches no file"
            matched |= found
    data = {
        path
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    assert matched == data
