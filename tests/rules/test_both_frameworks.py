"""Files that use both frameworks, or TensorFlow in an unusual way: each rule speaks of its own framework, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph2static.rules.analyze import Settings, analyze

BOTH = """
import torch
import tensorflow as tf


@torch.compile
def a(x: torch.Tensor):
    if x.sum() > 0:
        return x * 2
    return x.item()


@tf.function
def b(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        return x * 2.0
    return x.numpy()
"""
LAYER = """
class A({base}.layers.Layer):
    def call(self, x):
        if {total}(x) > 0:
            return x
        return -x
"""
INNER = """
def f(x):
    import tensorflow as tf

    @tf.function
    def g(y: tf.Tensor):
        return y.numpy()

    return g(x)
"""
STAR = """
from tensorflow import *


@function
def g(y):
    return reduce_sum(y).numpy()
"""


def found(folder: Path, source: str) -> list[tuple[str, int]]:
    (folder / "m.py").write_text(source, encoding="utf-8")
    report = analyze([folder], Settings(root=folder, with_fixes=False))
    assert not report.problems
    return [(f.code, f.span.line) for f in report.findings]


def test_each_framework_has_its_own_findings(tmp_path: Path) -> None:
    assert found(tmp_path, BOTH) == [("PTC101", 8), ("PTC201", 10), ("TFC201", 17)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import keras\n" + LAYER.format(base="keras", total="keras.ops.sum"), [("TFC101", 5)]),
        ("import tf_keras\nimport tensorflow as tf\n" + LAYER.format(base="tf_keras", total="tf.reduce_sum"), []),
        ('import os\n\nos.environ["KERAS_BACKEND"] = "torch"\nimport keras\n' + LAYER.format(base="keras", total="keras.ops.sum"), []),
        ('import os\n\nos.environ.setdefault("KERAS_BACKEND", "jax")\nimport keras\n' + LAYER.format(base="keras", total="keras.ops.sum"), []),
        ('import os\n\nos.environ["KERAS_BACKEND"] = "tensorflow"\nimport keras\n' + LAYER.format(base="keras", total="keras.ops.sum"), [("TFC101", 8)]),
    ],
    ids=["Keras 3", "Keras 2", "Keras on torch", "Keras on jax", "Keras on TensorFlow"],
)  # fmt: skip
def test_which_keras_runs_the_code(source: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    assert found(tmp_path, source) == expected


def test_a_back_end_that_a_script_chooses_holds_for_the_project(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text('import os\n\nos.environ["KERAS_BACKEND"] = "torch"\nimport m\n', encoding="utf-8")
    assert found(tmp_path, "import keras\n" + LAYER.format(base="keras", total="keras.ops.sum")) == []


def test_an_import_inside_a_function(tmp_path: Path) -> None:
    assert ("TFC201", 7) in found(tmp_path, INNER)


def test_a_star_import(tmp_path: Path) -> None:
    assert found(tmp_path, STAR) == [("TFC201", 7)]


def test_functions_without_source_and_hidden_ones_are_no_problem(tmp_path: Path) -> None:
    source = "import functools\nimport tensorflow as tf\nfrom somewhere import hide\n\n\n@hide\n@tf.function\ndef f(x):\n    return x\n\n\n"
    source += "g = tf.function(eval('lambda x: x + 1'))\nh = tf.function(functools.partial(f, 1))\nk = tf.function(len)\n"
    assert found(tmp_path, source) == []
