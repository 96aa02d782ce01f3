"""The checked-in tables are what the generator makes of the installed TensorFlow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graph2static.rules.frameworks.tensorflow import tables as loader

PROGRAM = """
import sys
from graph2static.rules.frameworks.generate_tensorflow import rendered, tables
sys.stdout = sys.stderr
made = rendered(tables())
sys.__stdout__.write(made)
"""


@pytest.fixture(scope="module")
def regenerated() -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    content: dict[str, Any] = json.loads(done.stdout)
    return content


@pytest.mark.parametrize("part", ["tensorflow", "functions", "tensor_members", "variable_members", "classes", "autograph", "xla", "removed", "compat_v1_missing"])
def test_the_tables_are_generated(regenerated: dict[str, Any], part: str) -> None:
    checked_in = json.loads(Path(loader.__file__).with_name("tensorflow-2.21.json").read_text(encoding="utf-8"))
    assert regenerated[part] == checked_in[part]


def test_what_the_rules_ask_of_the_tables() -> None:
    assert loader.functions()["tf.sqrt"] == (("x", "name"), "Tensor", "first")
    assert loader.functions()["tf.argmax"].dtype == "int64"
    assert loader.functions()["tf.unstack"].result == "list"
    assert loader.tensor_member("numpy") == "eager"
    assert "keras" in loader.unconverted_packages()
    assert loader.removed()["tf.log"] == "tf.math.log"
    assert "tf.strings.as_string" in loader.without_xla_kernel()
