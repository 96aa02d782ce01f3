"""The checked-in tables are what the generator makes of the installed torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graph2static.rules.frameworks.torch import tables as loader

PROGRAM = """
import sys
from graph2static.rules.frameworks.generate_torch import rendered, tables
sys.stdout.write(rendered(tables()))
"""


@pytest.fixture(scope="module")
def regenerated() -> str:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_tables_are_generated(regenerated: str) -> None:
    checked_in = Path(loader.__file__).with_name("torch-2.13.json").read_text(encoding="utf-8")
    assert regenerated == checked_in


def test_what_the_rules_ask_of_the_tables() -> None:
    assert {"nonzero", "masked_select", "unique_consecutive", "bincount"} <= loader.members("dynamic_output_shape")
    assert "torch.manual_seed" in loader.members("skipped")
    assert loader.returns("aminmax") == "(Tensor, Tensor)"
    assert loader.tensor_member("numel") == "_int"
