"""Rewrites of TensorFlow code: the text that comes out, what is declined and why, and that the graph gives what eager code gave."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from graph2static.convert.conversion import ConversionOptions, ConversionResult, convert_project
from graph2static.rules.analyze import Settings
from graph2static.rules.registry import all_rules

HEAD = "import tensorflow as tf\n\n"
FOOT = "\n\nf = tf.function(f)\n"

REWRITTEN = {
    "truth of a number": (
        "def f(n: tf.Tensor):\n    n = tf.cast(n, tf.int32)\n    if n:\n        return n * 2\n    return n\n",
        "    if tf.not_equal(n, 0):\n",
    ),
    "unpacking": ("def f(x: tf.Tensor):\n    a, b = tf.nn.softmax(x)\n    return a - b\n", "    a, b = tf.unstack(tf.nn.softmax(x), num=2)\n"),
    "enumerate": (
        "def f(x: tf.Tensor):\n    s = tf.constant(0.0)\n    for k, v in enumerate(x):\n        s += v * tf.cast(k, tf.float32)\n    return s\n",
        "    for k in tf.range(tf.shape(x)[0]):\n        v = x[k]\n        s += v * tf.cast(k, tf.float32)\n",
    ),
    "list in a loop": (
        "def f(n: tf.Tensor):\n    outs = []\n    for k in tf.range(n):\n        outs.append(tf.cast(k, tf.float32))\n    return tf.stack(outs)\n",
        "    outs = tf.TensorArray(tf.float32, size=n, element_shape=[])\n    for k in tf.range(n):\n        outs = outs.write(k, tf.cast(k, tf.float32))\n    return outs.stack()\n",
    ),
    "return in a loop": (
        "def f(n: tf.Tensor):\n    for k in tf.range(n):\n        if k > 2:\n            return k\n    return tf.constant(0)\n",
        "    result = tf.constant(0)\n    for k in tf.range(n):\n        if k > 2:\n            result = k\n            break\n    return result\n",
    ),
    "walrus": (
        "def f(x: tf.Tensor):\n    if (n := 3) > 2:\n        x = x * n\n    if tf.reduce_sum(x) > 0:\n        x = -x\n    return x\n",
        "    n = 3\n    if n > 2:\n",
    ),
    "constant print": ("def f(x: tf.Tensor):\n    print('called')\n    return x\n", "    tf.print('called', output_stream=sys.stdout)\n"),
    "numpy": ("import numpy as np\n\ndef f(x: tf.Tensor):\n    return np.mean(tf.cast(x, tf.float32)) * 2.0\n", "    return tf.reduce_mean(tf.cast(x, tf.float32)) * 2.0\n"),
    "removed name": ("def f(x: tf.Tensor):\n    return tf.log(x)\n", "    return tf.math.log(x)\n"),
    "assertion": (
        "def f(x: tf.Tensor):\n    assert tf.reduce_all(x > 0), 'positive'\n    return x\n",
        "    tf.debugging.Assert(tf.reduce_all(x > 0), ['positive'])\n",
    ),
    "draw": ("import random\n\ndef f(x: tf.Tensor):\n    return x * random.uniform(0.5, 1.5)\n", "    return x * tf.random.uniform([], 0.5, 1.5)\n"),
}
DECLINED = {
    "a list that is read in the loop": (
        "def f(n: tf.Tensor):\n    outs = []\n    for k in tf.range(n):\n        outs.append(tf.cast(k, tf.float32))\n        last = outs[-1]\n    return tf.stack(outs)\n",
        "`outs` is read in several places",
    ),
    "a result that the loop changes": (
        "def f(n: tf.Tensor):\n    s = tf.constant(0)\n    for k in tf.range(n):\n        if k > 2:\n            return s\n        s += 1\n    return s + 1\n",
        "the value after the loop depends on what the loop changes",
    ),
    "an integer mean": (
        "import numpy as np\n\ndef f(x: tf.Tensor):\n    return np.mean(tf.cast(x, tf.int32))\n",
        "the tensor is not proven to be of a floating-point dtype, which NumPy would make of it",
    ),
    "a generator of random numbers": (
        "def f(x: tf.Tensor):\n    g = tf.random.Generator.from_seed(1)\n    return x + g.normal([])\n",
        "a generator that is made anew draws the same numbers at each call; one that is kept goes on",
    ),
}
OTHERWISE = {
    "TFC108": "the exception becomes InvalidArgumentError",
    "TFC109": "the exception becomes InvalidArgumentError",
    "TFC306": "assigning to an item raises in eager code",
    "TFC501": "the graph prints to the process's own standard output, which is replaced while the examples run",
}
"""Rewrites that differ from eager code as their condition says."""


def converted(folder: Path, source: str) -> ConversionResult:
    (folder / "m.py").write_text(source, encoding="utf-8")
    return convert_project([folder], Settings(root=folder), ConversionOptions(unsafe=True))


@pytest.mark.parametrize("name", REWRITTEN)
def test_what_comes_out(name: str, tmp_path: Path) -> None:
    source, expected = REWRITTEN[name]
    result = converted(tmp_path, HEAD + source + FOOT)
    assert expected in result.changes[0].after
    assert not [finding for finding, _ in result.left if finding.severity.value == "break"]


@pytest.mark.parametrize("name", DECLINED)
def test_what_is_declined(name: str, tmp_path: Path) -> None:
    source, reason = DECLINED[name]
    result = converted(tmp_path, HEAD + source + FOOT)
    assert not result.changes
    assert reason in {why for _, why in result.left}


def test_rewritten_examples_give_as_graphs_what_they_gave_eagerly(tmp_path: Path) -> None:
    pairs: dict[str, list[str]] = {}
    for rule in all_rules():
        if rule.framework != "tensorflow" or rule.code == "TFC802":  # which raises in eager code before it is mended
            continue
        capture = "" if "DECORATED" in rule.bad else FOOT
        folder = tmp_path / rule.code
        folder.mkdir()
        result = converted(folder, rule.bad + capture)
        if result.changes:
            pairs[rule.code] = [rule.bad, result.changes[0].after.removesuffix(capture)]
    assert {"TFC101", "TFC102", "TFC103", "TFC105", "TFC106", "TFC201", "TFC202", "TFC302", "TFC303", "TFC501"} <= set(pairs)
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.observe_tensorflow_examples"],
        input=json.dumps(pairs), capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    outcomes = json.loads(done.stdout.splitlines()[-1])
    assert {code: outcome for code, outcome in outcomes.items() if code not in OTHERWISE and outcome not in ("ok", "retraces")} == {}
