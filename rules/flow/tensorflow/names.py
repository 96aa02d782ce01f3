"""Public names of TensorFlow and Keras, which may be reached under several."""

from __future__ import annotations

import re

_MOVED = (
    (re.compile(r"^tensorflow\.compat\.v2(?=\.|$)"), "tensorflow"),
    (re.compile(r"^tensorflow\.(?:python\.)?keras(?=\.|$)"), "keras"),
    (re.compile(r"^tensorflow\.python\.(?:ops|framework)\.(?:array_ops|math_ops|constant_op|variables|ops|tensor|tensor_array_ops)\."), "tensorflow."),
    (re.compile(r"^keras\.(?:api\._v2\.keras|src|backend\.tensorflow)\."), "keras."),
    (re.compile(r"^tensorflow\.(optimizers|losses|metrics|initializers|activations|regularizers|constraints)(?=\.)"), r"keras.\1"),
    (re.compile(r"^keras\.models\.(Model|Sequential)$"), r"keras.\1"),
    (re.compile(r"^keras\.layers\.layer\.Layer$"), "keras.layers.Layer"),
    (re.compile(r"^keras\.Layer$"), "keras.layers.Layer"),
    (re.compile(r"^keras\.engine\.base_layer\.Layer$"), "keras.layers.Layer"),
    (re.compile(r"^tensorflow\.autograph\.experimental\.do_not_convert$"), "tensorflow.autograph.do_not_convert"),
)


def public(name: str) -> str:
    """The name under which something is documented: ``tf.keras.models.Model`` is ``keras.Model``."""
    for pattern, replacement in _MOVED:
        name = pattern.sub(replacement, name, count=1)
    return name
