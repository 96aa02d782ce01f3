"""Programs on which a careless rewrite changes a value, a dtype, a shape, a gradient or an exception; ours changes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ..converting import convert_in_place
from .behaviour import behaviour

pytest.importorskip("graph2static.convert.command")

TRAPS = sorted(Path(__file__).with_name("traps").glob("*.py"))
REWRITTEN = ("s01_ifelse_same_target", "s03_if_noelse", "s09_logger", "s25_multi_assign", "s29_torch_compile_alias")
"""Programs that are no traps for a careful rewrite; they keep the comparison from being one of unchanged texts."""


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traps")
    for trap in TRAPS:
        shutil.copy(trap, folder)
    convert_in_place(folder)
    return folder


@pytest.mark.parametrize("trap", TRAPS, ids=lambda path: path.stem)
def test_conversion_changes_nothing_but_the_graph(trap: Path, converted: Path) -> None:
    source, result = trap.read_text(encoding="utf-8"), (converted / trap.name).read_text(encoding="utf-8")
    if result != source:
        assert behaviour(result, trap.stem) == behaviour(source, trap.stem)


@pytest.mark.parametrize("name", REWRITTEN)
def test_harmless_programs_are_rewritten(name: str, converted: Path) -> None:
    source = next(trap for trap in TRAPS if trap.stem == name).read_text(encoding="utf-8")
    assert (converted / f"{name}.py").read_text(encoding="utf-8") != source
