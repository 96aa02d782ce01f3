"""``g2s convert --add-functions``: what is decorated, what no longer is, and the fact that was missing for the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import g2s

MODULE = '''\
import numpy as np
import tensorflow as tf

SEEN = []


def scaled(x: tf.Tensor, factor: tf.Tensor):
    """Clean."""
    return tf.reduce_sum(x * factor)


def remembered(x: tf.Tensor):
    SEEN.append(x)
    return x * 2.0


def drawn(x: tf.Tensor):
    return x + np.random.normal()


def told(x: tf.Tensor):
    return float(tf.reduce_sum(x).numpy())


def plain(count):
    return [k for k in range(count)]


class Layer:
    @staticmethod
    def norm(x: tf.Tensor):
        return tf.norm(x)


@tf.function
def _inner(x: tf.Tensor):
    return x * 3.0


@tf.function
def outer(x: tf.Tensor):
    return _inner(x) + 1.0
'''


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The text that comes out, and what is said."""
    folder: Path = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").write_text("[tool.g2s]\n")
    (folder / "m.py").write_text(MODULE)
    ran = g2s(folder, "convert", ".", "--add-functions", "--write")
    assert ran.returncode == 0, ran.stderr
    return (folder / "m.py").read_text(), ran.stderr


def test_clean_functions_are_decorated(done: tuple[str, str]) -> None:
    assert "@tf.function\ndef scaled(" in done[0]
    assert "    @staticmethod\n    @tf.function\n    def norm(" in done[0]


def test_a_redundant_decorator_goes(done: tuple[str, str]) -> None:
    assert "\n\n\ndef _inner(" in done[0]
    assert "@tf.function\ndef outer(" in done[0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("remembered", "TFC301"), ("drawn", "TFC502"), ("told", "TFC201"), ("plain", "no parameter is known to be a tensor")],
)
def test_what_is_left_alone_and_why(name: str, reason: str, done: tuple[str, str]) -> None:
    assert f"@tf.function\ndef {name}(" not in done[0]
    said = next(line for line in done[1].splitlines() if f" {name}: " in line)
    assert said.startswith("Not decorated")
    assert reason in said
