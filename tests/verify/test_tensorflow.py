"""TensorFlow targets: eager against ``tf.function`` against XLA, told in words that name what differs."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from graph2static.verify.command import run
from graph2static.verify.errors import VerifyError
from graph2static.verify.framework import imported_frameworks
from graph2static.verify.request import VerifyRequest
from graph2static.verify.target import parse_target
from graph2static.verify.text_report import text_report
from graph2static.verify.verdict import Difference, Outcome, Verdict
from graph2static.verify.verify import verify

needs_tensorflow = pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="tensorflow is not installed")

ONES = "[(tf.ones(3),), (tf.constant([1.0, 2.0, 3.0]),), (tf.constant([-1.0, 4.0, 2.0]),)]"

# Name: original, converted (empty: the same), inputs, side, aspect, part of the message.
WRONG = {
    "value": ("def f(x):\n    return x * 2\n", "def f(x):\n    return x * 2.001\n", ONES, "eager", "outputs", "out: 3 of 3 elements differ"),
    "dtype": ("def f(x):\n    return x\n", "def f(x):\n    return tf.cast(x, tf.float64)\n", ONES, "eager", "outputs", "dtype float64, not float32"),
    "lost variable update": (
        "seen = tf.Variable(0.0)\n\ndef f(x):\n    seen.assign_add(tf.reduce_sum(x))\n    return x\n",
        "seen = tf.Variable(0.0)\n\ndef f(x):\n    seen.read_value()\n    return x\n",
        ONES, "eager", "state", "global seen: differs, 0, not 3",
    ),
    "gradient": (
        "def f(x):\n    return x * x\n", "def f(x):\n    return x * tf.stop_gradient(x)\n", ONES, "eager", "gradients", "input 1: 3 of 3 elements differ",
    ),
    "type of exception": (
        "def f(x):\n    if tf.reduce_sum(x) > 3.5:\n        raise ValueError('large')\n    return x\n",
        "def f(x):\n    if tf.reduce_sum(x) > 3.5:\n        raise KeyError('large')\n    return x\n",
        ONES, "eager", "exceptions", "raises KeyError: 'large'",
    ),
    "exception raised while tracing": (
        "def f(x):\n    if x.numpy().sum() > 0:\n        return x\n    return -x\n", "", ONES, "compiled", "exceptions", "raises AttributeError",
    ),
    "no None after a failed trace": (
        "class M:\n    w = None\n\n    def __call__(self, x):\n        if self.w is None:\n            self.w = tf.Variable(2.0)\n"
        "        for row in enumerate(x):\n            pass\n        return self.w * x\nf = M()\n",
        "", ONES, "compiled", "exceptions", "input 3",
    ),
    "None": (
        "def f(x):\n    return x if tf.executing_eagerly() else None\n", "", ONES, "compiled", "outputs", "out is None, not a float32 tensor of shape [3]",
    ),
    "frozen counter": (
        "class M:\n    def __init__(self):\n        self.n = 0\n\n    def step(self, x):\n        self.n += 1\n        return x * self.n\nf = M().step\n",
        "", ONES, "compiled", "state", "self.n is 1, not 2",
    ),
    "frozen counter in the graph": (
        "count = 0\n\ndef f(x):\n    global count\n    count += 1\n    return x * count\n", "", ONES, "compiled", "frozen", "counter",
    ),
    "frozen setting": (
        "class M:\n    def __init__(self):\n        self.scale = 2.0\n\n    def rescale(self, s):\n        self.scale = s\n\n"
        "    def __call__(self, x):\n        return x * self.scale\nf = M()\n",
        "", ONES, "compiled", "frozen", "`self.scale` is read once",
    ),
    "frozen clock": (
        "import time\n\ndef f(x):\n    return x * 0 + time.perf_counter()\n", "", ONES, "compiled", "frozen", "clock",
    ),
    "frozen draw": ("import numpy as np\n\ndef f(x):\n    return x + np.random.rand()\n", "", ONES, "compiled", "outputs", "the same in each of 48 calls"),
    "frozen draw in the graph": ("import numpy as np\n\ndef f(x):\n    return x + np.random.rand()\n", "", ONES, "compiled", "frozen", "random numbers"),
    "other distribution": (
        "def f(x):\n    return tf.random.uniform([200])\n", "def f(x):\n    return tf.random.uniform([200], 0.0, 1.5)\n", ONES, "eager", "outputs", "has mean",
    ),
    "list": (
        "history = []\n\ndef f(x):\n    history.append(1)\n    return x\n", "", ONES, "compiled", "state", "global history is a list of 1, not a list of 2",
    ),
    "attribute of a class": (
        "class Seen:\n    n = 0\n\ndef f(x):\n    Seen.n += 1\n    return x\n", "", ONES, "compiled", "state", "global Seen.n is 1, not 2",
    ),
    "print": ("def f(x):\n    print('low')\n    return x\n", "", ONES, "compiled", "text", "stdout lacks 'low'"),
    "static shape": (
        "def f(x):\n    return tf.reduce_sum(x) / x.shape[0]\n",
        "@tf.function(input_signature=[tf.TensorSpec([None])])\ndef f(x):\n    return tf.reduce_sum(x) / (x.shape[0] or 1)\n",
        ONES, "compiled", "outputs", "out: differs, 3, not 1",
    ),
}

# Name: original, converted (empty: the same), inputs.
RIGHT = {
    "branch and Python results": (
        "def f(x):\n    if tf.reduce_sum(x) > 4:\n        y = tf.tanh(x)\n    else:\n        y = x - 1\n    return {'y': y, 'n': 3, 's': 'a', 'none': None}\n",
        "", ONES,
    ),
    "counter made a variable": (
        "class M(tf.Module):\n    def __init__(self):\n        self.n = 0\n\n    def step(self, x):\n        self.n += 1\n        return x * self.n\nf = M().step\n",
        "class M(tf.Module):\n    def __init__(self):\n        self.n = tf.Variable(0)\n\n    @tf.function\n    def step(self, x):\n"
        "        self.n.assign_add(1)\n        return x * tf.cast(self.n, x.dtype)\nf = M().step\n",
        ONES,
    ),
    "host code around a step": (
        "history = []\n\ndef f(x):\n    y = x * 2\n    history.append(float(y[0]))\n    return y\n",
        "history = []\n\n@tf.function\ndef step(x):\n    return x * 2\n\ndef f(x):\n    y = step(x)\n    history.append(float(y[0]))\n    return y\n",
        ONES,
    ),
    "print kept": (
        "def f(x):\n    print('low')\n    return x\n",
        "import sys\n\n@tf.function\ndef f(x):\n    tf.print('low', output_stream=sys.stdout)\n    return x\n",
        ONES,
    ),
    "draws": ("def f(x):\n    return x + tf.random.uniform([3])\n", "", ONES),
    "Keras model": (
        "net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, 'gelu'), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(2)])\n"
        "f = net\n",
        "", "[(tf.random.normal((3, 4)),)]",
    ),
    "retraces": ("def f(x, k):\n    return x * k\n", "", "[(tf.ones(3), 1), (tf.ones(3), 2), (tf.ones(3), 3)]"),
    "gradients cut by the host": ("def f(x):\n    return x * x.numpy()\n", "def f(x):\n    return x * x\n", ONES),
    "training by Keras": (
        "net = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])\nnet.compile('sgd', 'mse')\n\n"
        "def f(x, y):\n    return net.fit(x, y, shuffle=False, verbose=0).history['loss'][0]\n",
        "", "[(tf.ones((4, 2)), tf.ones((4, 1)))]",
    ),
    "flag": ("def f(x, flag):\n    return x if flag else -x\n", "", "[(tf.ones(3), True), (tf.ones(3), False), (tf.ones(2), True)]"),
    "variable made by the first call": (
        "class M:\n    w = None\n\n    def __call__(self, x):\n        if self.w is None:\n            self.w = tf.Variable(2.0)\n        return self.w * x\nf = M()\n",
        "", ONES,
    ),
    "checks that XLA drops": ("def f(x):\n    tf.debugging.assert_greater(tf.reduce_sum(x), 3.5)\n    return x\n", "", ONES),
}


def write_pairs(folder: Path, rows: dict[str, tuple[str, ...]]) -> tuple[Path, Path]:
    """Two projects, original and converted, whose provider gives a pair for each row."""
    roots = (folder / "original", folder / "converted")
    for position, root in enumerate(roots):
        root.mkdir(parents=True)
        pairs = ""
        for number, (original, converted, inputs, *_) in enumerate(rows.values()):
            source = converted if position and converted else original
            (root / f"model{number}.py").write_text("import tensorflow as tf\n\n" + source, encoding="utf-8")
            pairs += f"    import model{number}\n    pairs.append((model{number}.f, {inputs}))\n"
        (root / "inputs.py").write_text(f"import tensorflow as tf\n\ndef make():\n    pairs = []\n{pairs}    return pairs\n", encoding="utf-8")
    return roots


def verified(folder: Path, rows: dict[str, tuple[str, ...]]) -> Verdict:
    original, converted = write_pairs(folder, rows)
    return verify(VerifyRequest("inputs:make", converted, original=original, time=False))


def of_pair(differences: tuple[Difference, ...], rows: dict[str, tuple[str, ...]], name: str) -> list[Difference]:
    number = list(rows).index(name) + 1
    return [difference for difference in differences if difference.call.startswith(f"pair {number}, ")]


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    """What the verifier says of all that is wrong, verified together."""
    return verified(tmp_path_factory.mktemp("wrong"), WRONG)


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    """What the verifier says of all that is right, verified together."""
    return verified(tmp_path_factory.mktemp("right"), RIGHT)


@needs_tensorflow
@pytest.mark.parametrize("name", WRONG)
def test_a_disagreement_is_caught(name: str, wrong: Verdict) -> None:
    *_, side, aspect, message = WRONG[name]
    mine = of_pair(wrong.differences, WRONG, name)
    assert any((item.side, item.aspect) == (side, aspect) and message in f"{item.call}: {item.message}" for item in mine), mine
    if side == "compiled":
        assert not [item for item in mine if item.side == "eager"]


@needs_tensorflow
def test_outcomes_are_distinct(wrong: Verdict) -> None:
    assert not wrong.agrees
    assert {Outcome.EAGER_DIFFERS, Outcome.COMPILE_RAISES, Outcome.COMPILE_DIFFERS} <= set(wrong.outcomes)


@needs_tensorflow
@pytest.mark.parametrize("name", RIGHT)
def test_what_agrees_is_verified(name: str, right: Verdict) -> None:
    assert not of_pair(right.differences, RIGHT, name)


@needs_tensorflow
def test_retraces_are_counted_and_no_disagreement(right: Verdict) -> None:
    assert right.verified and Outcome.RETRACES in right.outcomes and right.graphs is not None
    (again,) = right.graphs.recompilations
    assert again.function == "f" and again.path.endswith(f"model{list(RIGHT).index('retraces')}.py")
    assert "Python argument 2 is 1, then 2, then 3" in again.reasons[0]


@needs_tensorflow
def test_xla_alone_is_told_beside_the_verdict(right: Verdict, tmp_path: Path) -> None:
    assert right.agrees and Outcome.XLA_DIFFERS in right.outcomes
    assert any("does not raise the original's" in item.message for item in of_pair(right.xla, RIGHT, "checks that XLA drops"))
    report = text_report(right, tmp_path)
    assert "which was not asked for" in report.splitlines()[-1]
    assert any("drawn at random" in note for note in right.notes)


@needs_tensorflow
def test_one_source_with_times_and_json(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        textwrap.dedent("""
            import sys
            import tensorflow as tf

            def f(x):
                assert "torch" not in sys.modules
                return tf.tanh(x) @ tf.ones((2, 2))
        """),
        encoding="utf-8",
    )
    output = tmp_path / "report.json"
    assert run("model:f", input=["float32[3,2]"], mode="jit_compile", format="json", output=output, root=tmp_path) == 0
    report = json.loads(output.read_text(encoding="utf-8"))
    assert report["version"] == 1 and report["framework"] == "tensorflow" and report["outcomes"] == ["agrees"]
    assert report["calls"] == 4 and report["graphs"]["graphs"] == 2 and report["tolerance"]["origin"] == "dtype"
    assert report["timing"]["compile_seconds"] > 0 and report["timing"]["original"]["peak_memory"] > 0


@needs_tensorflow
@pytest.mark.parametrize(
    ("options", "message"),
    [({"device": "cuda"}, "TensorFlow sees no GPU"), ({"mode": "max-autotune"}, "modes default and jit_compile")],
)
def test_mistakes_are_told(options: dict[str, str], message: str, tmp_path: Path) -> None:
    import tensorflow as tf

    if "device" in options and tf.config.list_physical_devices("GPU"):
        pytest.skip("there is a GPU")
    (tmp_path / "model.py").write_text("import tensorflow as tf\n\ndef f(x):\n    return x\n", encoding="utf-8")
    with pytest.raises(VerifyError, match=message):
        run("model:f", input=["float32[3]"], root=tmp_path, time=False, **options)  # type: ignore[arg-type]


def test_the_framework_is_told_from_imports(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "losses.py").write_text("def f():\n    from tensorflow import keras\n", encoding="utf-8")
    (package / "model.py").write_text("from . import losses\n", encoding="utf-8")
    (tmp_path / "inputs.py").write_text("import numpy as np\nfrom pkg.model import losses\n", encoding="utf-8")
    (tmp_path / "both.py").write_text("import torch\nimport inputs\n", encoding="utf-8")
    (tmp_path / "none.py").write_text("import numpy\n", encoding="utf-8")
    assert imported_frameworks(parse_target("inputs:make"), tmp_path) == {"tensorflow"}
    assert imported_frameworks(parse_target("both:make"), tmp_path) == {"torch", "tensorflow"}
    assert imported_frameworks(parse_target("none:make"), tmp_path) == set()


@needs_tensorflow
def test_where_imports_name_both_the_inputs_decide(tmp_path: Path) -> None:
    (tmp_path / "inputs.py").write_text(
        "import torch\nimport tensorflow as tf\n\ndef f(x):\n    return x + 1\n\ndef make():\n    return f, [(tf.ones(2),)]\n", encoding="utf-8"
    )
    assert verify(VerifyRequest("inputs:make", tmp_path, time=False)).framework == "tensorflow"


def test_the_command_loads_no_framework() -> None:
    code = "import sys; import graph2static.verify.verify; sys.exit('tensorflow' in sys.modules or 'torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
