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


def test_what_functions_return() -> None:
    functions = loader.functions()
    assert functions["tf.sqrt"] == (("x", "name"), "Tensor", "first", ())
    assert functions["tf.argmax"].dtype == "argument:output_type:int64"
    assert functions["tf.cast"].dtype == "argument:dtype:"
    assert functions["tf.bitwise.invert"].dtype == "first"
    assert functions["tf.math.is_nan"].dtype == "bool"
    assert functions["tf.unstack"].result == "list"
    assert functions["tf.math.top_k"].result == "namedtuple:values=Tensor,indices=Tensor"
    assert functions["keras.ops.maximum"].dtype == ""
    assert functions["tf.linalg.svd"].varying == ("compute_uv",)


def test_what_xla_compiles() -> None:
    without = loader.without_xla_kernel()
    assert {"tf.strings.as_string", "tf.linalg.det", "tf.math.segment_sum", "tf.io.decode_png", "tf.eigvals"} <= without
    assert not {"tf.stack", "tf.math.top_k", "tf.linalg.eigh", "tf.linalg.expm", "tf.abs", "tf.image.ssim"} & without


def test_what_members_are_in_a_graph() -> None:
    assert loader.tensor_member("numpy") == "eager"
    assert loader.tensor_member("__len__") == "raises"
    assert loader.tensor_member("set_shape") == "method"
    assert loader.variable_member("numpy") == "raises"
    assert loader.variable_member("assign_add") == "method"


def test_what_classes_are() -> None:
    classes = loader.classes()
    assert {classes[f"tf.keras.{name}"].kind for name in ("Model", "Sequential")} == {"model"}
    assert classes["tf.keras.layers.Dense"].kind == "layer"
    assert classes["tf.keras.layers.Dense"].parameters[:2] == ("units", "activation")
    assert classes["tf.keras.optimizers.Adam"].kind == "optimizer"
    assert classes["tf.keras.metrics.Mean"].kind == "metric"
    assert classes["tf.data.Dataset"].kind == "dataset"
    assert classes["tf.Module"].kind == "module"
    assert classes["tf.TensorArray"].kind == "other"


def test_what_is_left_of_autograph_and_of_tensorflow_1() -> None:
    assert "keras" in loader.unconverted_packages()
    assert loader.removed()["tf.log"] == "tf.math.log"
    assert "tf.compat.v1.nn.rnn_cell.LSTMCell" in loader.missing_in_compat()
    assert "tf.compat.v1.placeholder" not in loader.missing_in_compat()
