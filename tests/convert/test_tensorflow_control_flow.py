"""Loops that a tensor ends, branches where AutoGraph does not come, sizes and weights: what comes out and what is declined."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph2static.convert.conversion import ConversionOptions, ConversionResult, convert_project
from graph2static.rules.analyze import Settings

HEAD = "import numpy as np\nimport tensorflow as tf\n\n"
FOOT = "\n\nf = tf.function(f)\n"
OFF = "\n\nf = tf.function(f, autograph=False)\n"

REWRITTEN = {
    "endless loop": (
        "def f(x: tf.Tensor):\n    while True:\n        x = x / 2.0\n        if tf.reduce_max(x) < 1.0:\n            break\n    return x\n" + FOOT,
        "    running = tf.constant(True)\n    while running:\n        x = x / 2.0\n        running = tf.logical_not(tf.reduce_max(x) < 1.0)\n    return x\n",
    ),
    "return of what the loop carries": (
        "def f(n: tf.Tensor):\n    x = tf.constant(3.0)\n    for _ in tf.range(n):\n        x = x * 0.5\n        if x < 0.2:\n            return x * 100.0\n    return x\n" + FOOT,
        "        if x < 0.2:\n            x = x * 100.0\n            break\n    return x\n",
    ),
    "return of the very value that the loop carries": (
        "def f(n: tf.Tensor):\n    s = tf.constant(0)\n    for k in tf.range(n):\n        if k > 2:\n            return s\n        s += 1\n    return s\n" + FOOT,
        "        if k > 2:\n            break\n        s += 1\n    return s\n",
    ),
    "numbers that a test asks": (
        "def f(x: tf.Tensor):\n    n = tf.cast(x, tf.int32)\n    if n and not n:\n        return n + 1\n    return n\n" + FOOT,
        "    if tf.not_equal(n, 0) and not tf.not_equal(n, 0):\n",
    ),
    "branch without AutoGraph": (
        "def f(x: tf.Tensor):\n    v = tf.nn.relu(tf.cast(x, tf.float32))\n    if tf.reduce_sum(v) > 1.5:\n        v = v * 2.0\n    return v\n" + OFF,
        "    v = tf.cond(tf.reduce_sum(v) > 1.5, lambda: v * 2.0, lambda: v)\n    return v\n",
    ),
    "choice of a result without AutoGraph": (
        "def f(x: tf.Tensor):\n    v = tf.cast(x, tf.float32)\n    if tf.reduce_sum(v) > 0:\n        return v\n    return -v\n" + OFF,
        "    return tf.cond(tf.reduce_sum(v) > 0, lambda: v, lambda: -v)\n",
    ),
    "float without AutoGraph": (
        "def f(x: tf.Tensor):\n    v = tf.cast(x, tf.float32)\n    return v * float(tf.reduce_sum(v))\n" + OFF,
        "    return v * tf.cast(tf.reduce_sum(v), tf.float32)\n",
    ),
    "number of elements": (
        "@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])\ndef f(x):\n    n = int(np.prod(x.shape))\n    return tf.reshape(x, [n])\n",
        "    n = tf.size(x)\n",
    ),
    "weight": (
        "d = tf.keras.layers.Dense(1)\n\ndef f(x: tf.Tensor):\n    w = d.get_weights()[0]\n    return tf.matmul(x, w)\n" + FOOT,
        "    w = tf.convert_to_tensor(d.weights[0])\n",
    ),
}
DECLINED = {
    "a default by `or`": (
        "def f(x: tf.Tensor):\n    n = tf.cast(x, tf.int32)\n    return n or tf.constant(5)\n" + FOOT,
        "the number itself may be the result of `or`",
    ),
    "an endless loop that is left in two places": (
        "def f(x: tf.Tensor):\n    while True:\n        if tf.reduce_min(x) < 0.1:\n            break\n        x = x / 2.0\n        if tf.reduce_max(x) < 1.0:\n            break\n    return x\n" + FOOT,
        "the loop is left or continued in several places",
    ),
    "an endless loop that goes on after its test": (
        "def f(x: tf.Tensor):\n    while True:\n        if tf.reduce_max(x) < 1.0:\n            break\n        x = x / 2.0\n    return x\n" + FOOT,
        "the loop does not end with the test that leaves it",
    ),
    "sides of two dtypes": (
        "def f(x: tf.Tensor):\n    v = tf.cast(x, tf.float32)\n    if tf.reduce_sum(v) > 0:\n        return v\n    return tf.cast(v, tf.int32)\n" + OFF,
        "the sides are not proven to be tensors of one dtype",
    ),
    "a side of two statements": (
        "def f(x: tf.Tensor):\n    v = tf.cast(x, tf.float32)\n    if tf.reduce_sum(v) > 0:\n        v = v * 2.0\n        v = v + 1.0\n    return v\n" + OFF,
        "a side is more than one statement",
    ),
    "all weights": (
        "d = tf.keras.layers.Dense(1)\n\ndef f(x: tf.Tensor):\n    return x * float(len(d.get_weights()))\n" + FOOT,
        "more than one weight by its position is read",
    ),
}


def converted(folder: Path, source: str) -> ConversionResult:
    (folder / "m.py").write_text(HEAD + source, encoding="utf-8")
    return convert_project([folder], Settings(root=folder), ConversionOptions(unsafe=True))


@pytest.mark.parametrize("name", REWRITTEN)
def test_what_comes_out(name: str, tmp_path: Path) -> None:
    source, expected = REWRITTEN[name]
    result = converted(tmp_path, source)
    assert expected in result.changes[0].after
    assert not [finding for finding, _ in result.left if finding.severity.value == "break"]


@pytest.mark.parametrize("name", DECLINED)
def test_what_is_declined(name: str, tmp_path: Path) -> None:
    source, reason = DECLINED[name]
    result = converted(tmp_path, source)
    assert not result.changes
    assert reason in {why for _, why in result.left}
