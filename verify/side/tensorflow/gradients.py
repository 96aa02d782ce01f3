"""Gradients of floating inputs and trainable variables.

What is differentiated is a weighted sum of the floating outputs. Plain sums would hide errors: a softmax sums to one whatever its input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..loading import Input
from .api import is_keras, np, tf
from .host_reads import host_reads
from .leaves import leaves_of
from .printed import printed
from .randomness import seed_python


def gradients_of(run: Callable[..., Any], variables: dict[str, Any], given: Input, seed: int) -> dict[str, Any]:
    """The gradients by name, or under ``raised`` what kept them from being computed; ``cut`` tells whether host code read a tensor."""
    flat = tf.nest.flatten(given)
    wanted: dict[str, Any] = {}
    for position, leaf in enumerate(flat):
        if isinstance(leaf, tf.Tensor) and leaf.dtype.is_floating:
            wanted[f"input {position + 1}"] = leaf
    sources = {name: variable.value if is_keras(variable) else variable for name, variable in variables.items() if _is_trained(variable)}
    wanted.update({name: value for name, value in sources.items() if isinstance(value, tf.Variable)})
    if not wanted:
        return {"leaves": {}, "raised": None, "cut": False}
    seed_python(seed)
    args, kwargs = given
    try:
        with printed(), host_reads() as reads, tf.GradientTape() as tape:
            tape.watch([value for value in wanted.values() if not isinstance(value, tf.Variable)])
            total = _weighted_sum(run(*args, **kwargs))
        found = tape.gradient(total, list(wanted.values())) if total is not None else [None] * len(wanted)
    except Exception as error:
        first = next(iter(str(error).strip().splitlines()), "")
        return {"leaves": {}, "raised": f"{type(error).__qualname__}: {first}", "cut": False}
    leaves: dict[str, Any] = {}
    for name, gradient in zip(wanted, found, strict=True):
        leaves.update(leaves_of(tf.convert_to_tensor(gradient) if isinstance(gradient, tf.IndexedSlices) else gradient, name))
    return {"leaves": leaves, "raised": None, "cut": bool(reads)}


def _is_trained(variable: Any) -> bool:
    return bool(variable.trainable) and tf.as_dtype(variable.dtype).is_floating


def _weighted_sum(output: Any) -> Any:
    total = None
    for leaf in tf.nest.flatten(output, expand_composites=True):
        if not isinstance(leaf, tf.Tensor) or not leaf.dtype.is_floating:
            continue
        count = int(np.prod(leaf.shape))
        weights = tf.constant(1 + 0.5 * np.cos(np.arange(count)), tf.float64)
        term = tf.cast(tf.reduce_sum(tf.reshape(leaf, [-1]) * tf.cast(weights, leaf.dtype)), tf.float64)
        total = term if total is None else total + term
    return total
