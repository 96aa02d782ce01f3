"""Host code that the graph calls, state that becomes a variable, loops that are told their shapes: the text, and what the framework does with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from graph2static.convert.conversion import ConversionOptions, ConversionResult, convert_project
from graph2static.rules.analyze import Settings

HEAD = "import itertools\nimport tensorflow as tf\n\nLOG = []\nCOUNTS = {'calls': 0}\nRATES = itertools.count()\n\n"
FOOT = "\n\nf = tf.function(f)\n"
ARGUMENTS = "\n\ndef make_args(i):\n    return (tf.constant([1.0, 2.0 + i]),)\n\n\ndef observe():\n    return [str(v) for v in LOG], dict(COUNTS)\n"

REWRITTEN = {
    "a list that keeps a value": (
        "def f(x: tf.Tensor):\n    total = tf.reduce_sum(x)\n    LOG.append(float(total))\n    return x * 2.0\n",
        "    def on_host(total):\n        LOG.append(float(total))\n    tf.py_function(on_host, [total], [])\n",
    ),
    "a list that keeps a value on one side of a tensor branch": (
        "def f(x: tf.Tensor):\n    if tf.reduce_sum(x) > 3.5:\n        LOG.append(tf.reduce_max(x))\n    return x * 2.0\n",
        "        tf.py_function(on_host, [x], [])\n",
    ),
    "a count by name": (
        "def f(x: tf.Tensor):\n    COUNTS['calls'] += 1\n    return x + 1.0\n",
        "    def on_host():\n        COUNTS['calls'] += 1\n    tf.py_function(on_host, [], [])\n",
    ),
    "a printed tensor": (
        "def f(x: tf.Tensor):\n    print('now', x)\n    return x + 1.0\n",
        "    def on_host(x):\n        print('now', x)\n    tf.py_function(on_host, [x], [])\n",
    ),
    "a number of an iterator": (
        "def f(x: tf.Tensor):\n    y = tf.cast(x, tf.float64)\n    return y * float(next(RATES))\n",
        "    return y * tf.ensure_shape(tf.py_function(lambda: float(next(RATES)), [], tf.float64), [])\n",
    ),
    "state that is a tensor": (
        "class Cell:\n    def __init__(self):\n        self.state = tf.zeros([2])\n\n    def __call__(self, x):\n        self.state = self.state * 0.5 + x\n"
        "        return self.state + 0.0\n\n\ncell = Cell()\n\n\ndef f(x: tf.Tensor):\n    return cell(x)\n",
        "        self.state.assign(self.state * 0.5 + x)\n",
    ),
    "a variable that is replaced": (
        "class Net:\n    def __init__(self):\n        self.w = tf.Variable([1.0, 1.0])\n\n    def bump(self, x):\n        self.w = self.w + x\n"
        "        return self.w * 1.0\n\n\nnet = Net()\n\n\ndef f(x: tf.Tensor):\n    return net.bump(x)\n",
        "        self.w.assign_add(x)\n",
    ),
    "a tensor that grows": (
        "def f(x: tf.Tensor):\n    out = tf.zeros([0])\n    for k in tf.range(tf.size(x)):\n        out = tf.concat([out, [x[k]]], axis=0)\n    return out\n",
        "        tf.autograph.experimental.set_loop_options(shape_invariants=[(out, tf.TensorShape([None]))])\n",
    ),
    "a recursion": (
        "def halve(v):\n    if tf.reduce_max(v) < 1.0:\n        return v\n    return halve(v / 2.0)\n\n\ndef f(x: tf.Tensor):\n    return halve(x)\n",
        "    while not (tf.reduce_max(v) < 1.0):\n        v = v / 2.0\n    return v\n",
    ),
}
DECLINED = {
    "a container that the function reads": (
        "def f(x: tf.Tensor):\n    LOG.append(tf.reduce_sum(x))\n    return x + tf.add_n(LOG)\n",
        "`LOG` is used elsewhere in the function, which would see it too early or too late",
    ),
    "a local number that may change": (
        "def f(x: tf.Tensor):\n    for k in range(3):\n        LOG.append((k, tf.reduce_sum(x)))\n    return x\n",
        "`k` may have changed by the time that the graph runs",
    ),
    "a count of traces": (
        "@tf.function\ndef g(x: tf.Tensor):\n    LOG.append(1)\n    return x\n\n\ndef f(x):\n    return g(x)\n",
        "a constant that is kept while tracing may count the traces on purpose",
    ),
    "a state that begins as None": (
        "class Cell:\n    def __init__(self):\n        self.state = None\n\n    def __call__(self, x):\n        self.state = x * 2.0\n        return x\n\n\n"
        "cell = Cell()\n\n\ndef f(x: tf.Tensor):\n    return cell(x)\n",
        "what it gives back is used; host code like this belongs outside the captured function",
    ),
    "a message without a value": (
        "import logging\n\n\ndef f(x: tf.Tensor):\n    logging.info('a batch of shape %s', x.shape)\n    return x\n",
        "it tells nothing that a tensor holds: said once, while tracing, it may be what is wanted",
    ),
    "a recursion that goes on with its result": (
        "def halve(v):\n    if tf.reduce_max(v) < 1.0:\n        return v\n    return halve(v / 2.0) + 1.0\n\n\ndef f(x: tf.Tensor):\n    return halve(x)\n",
        "the function does something with what the call of itself gives",
    ),
}


def converted(folder: Path, source: str) -> ConversionResult:
    (folder / "m.py").write_text(source, encoding="utf-8")
    return convert_project([folder], Settings(root=folder), ConversionOptions(unsafe=True))


@pytest.mark.parametrize("name", REWRITTEN)
def test_what_comes_out(name: str, tmp_path: Path) -> None:
    source, expected = REWRITTEN[name]
    result = converted(tmp_path, HEAD + source + FOOT)
    assert expected in result.changes[0].after
    assert not result.left


@pytest.mark.parametrize("name", DECLINED)
def test_what_is_declined(name: str, tmp_path: Path) -> None:
    source, reason = DECLINED[name]
    result = converted(tmp_path, HEAD + source + FOOT)
    assert not result.changes
    assert reason in {why for _, why in result.left}


def test_graphs_do_what_the_originals_did_eagerly(tmp_path: Path) -> None:
    pairs: dict[str, list[str]] = {}
    for number, (name, (source, _)) in enumerate(REWRITTEN.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        after = converted(folder, HEAD + source + FOOT).changes[0].after.removesuffix(FOOT)
        pairs[name] = [HEAD + source + ARGUMENTS, after + ARGUMENTS]
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.observe_tensorflow_examples"],
        input=json.dumps(pairs), capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == dict.fromkeys(pairs, "ok")
