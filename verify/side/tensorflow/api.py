"""TensorFlow and numpy, untyped: TensorFlow has no stubs, and a type checker would read all of its sources."""

from __future__ import annotations

import importlib
from typing import Any

tf: Any = importlib.import_module("tensorflow")
np: Any = importlib.import_module("numpy")


def is_function(value: Any) -> bool:
    """Whether a value is what ``tf.function`` returns."""
    return isinstance(value, tf.types.experimental.PolymorphicFunction)


def is_keras(value: Any) -> bool:
    """Whether a value is a Keras layer, model, metric, loss or optimizer, of any Keras."""
    return any(base.__module__.partition(".")[0] in ("keras", "tf_keras") for base in type(value).__mro__)


def is_variable(value: Any) -> bool:
    """Whether a value is a variable of TensorFlow or of Keras."""
    return isinstance(value, tf.Variable) or (type(value).__name__ == "Variable" and is_keras(value))
