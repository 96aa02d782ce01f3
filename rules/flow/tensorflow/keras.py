"""Keras: what a class is to it, and which functions it calls while it traces, none of which AutoGraph converts in Keras 3."""

from __future__ import annotations

from ..capture import AUTOGRAPH, KERAS, Capture
from ..classes import ancestry
from ..values import Class, External, Function, Instance, Value

CALLED = {
    "layer": ("call",),
    "model": ("call", "train_step", "test_step", "predict_step", "compute_loss", "compute_metrics"),
    "metric": ("update_state", "result"),
    "loss": ("call",),
}
"""The methods that Keras calls while it traces, by kind of class."""
ENTRIES = {"layer": ("call",), "model": ("call", "train_step", "test_step", "predict_step")}
"""The methods that ``fit`` and its like trace, of which nobody needs to see a call."""
_FIRST = {"layers": "layer", "metrics": "metric", "losses": "loss", "optimizers": "optimizer", "initializers": "initializer", "applications": "model"}


def kind_of(cls: Value) -> str:
    """What a class is to Keras: "layer", "model", "metric", "loss", "optimizer", "initializer" or ""."""
    for item in ancestry(cls):
        if isinstance(item, External):
            found = external_kind(item.name)
        elif isinstance(item, Class) and item.module.name.startswith(("keras.", "tf_keras.")) and item.name in ("Layer", "Model", "Metric", "Loss"):
            found = item.name.lower()
        else:
            found = ""
        if found:
            return found
    return ""


def external_kind(name: str) -> str:
    """What a class outside the project is to Keras, by its dotted name."""
    root, _, rest = name.partition(".")
    if root not in ("keras", "tf_keras") or not rest:
        return ""
    first, _, last = rest.partition(".")
    if rest in ("Model", "Sequential") or rest.startswith("models."):
        return "model"
    if not last[:1].isupper():
        return ""
    return _FIRST.get(first, "")


def is_second(cls: Value) -> bool:
    """Whether a class is of Keras 2, which lets AutoGraph convert what it calls."""
    return any(isinstance(item, External) and item.name.startswith("tf_keras.") for item in ancestry(cls))


def capture_of(cls: Value, jit: bool = False) -> Capture:
    """The capture under which Keras calls the methods of a class."""
    base = AUTOGRAPH if is_second(cls) else KERAS
    return base.replace(jit=jit, unsized=True) if jit else base.replace(unsized=True)


def as_keras_calls(function: Value, instance: Instance) -> Value:
    """A method as it runs when Keras calls it: behind Keras' door, unless ``tf.function`` has made a graph of its own of it."""
    if isinstance(function, Function) and function.door is None and kind_of(instance.cls) in CALLED and not is_second(instance.cls):
        return function.behind(KERAS)
    return function
