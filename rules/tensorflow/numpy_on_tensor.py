"""TFC202: a function of NumPy, ``math`` or SciPy is given a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Declined, Fix, Severity
from ..fixing.context import FixContext
from ..flow.events import Call, Event, Index
from ..flow.tensorflow.values import tf_tensor_in
from ..flow.values import Array, Sequence, contains_tensor
from ..rule import Rule, Suspicion, source_of

_ROOTS = ("numpy.", "math.", "cmath.", "scipy.", "sklearn.", "cv2.", "PIL.", "statistics.")
_HARMLESS = {"numpy.shape", "numpy.ndim", "numpy.result_type", "numpy.dtype", "numpy.finfo", "numpy.iinfo", "numpy.isscalar", "numpy.iterable"}
_ATTRIBUTE_READS = {"numpy.ndim"}


class NumpyOnTensor(Rule):
    """NumPy, `math` or another host library is given a symbolic tensor.

    They ask the tensor for its array, which it does not have while the graph is traced. Most functions have a twin in TensorFlow:
    `np.clip` is `tf.clip_by_value`, `np.mean` is `tf.reduce_mean`, `math.exp` is `tf.exp`. NumPy on constants and shapes is fine.

    Bad:
        import numpy as np
        import tensorflow as tf

        def f(x):
            return np.mean(x) * 2.0

        def make_args(i):
            return (tf.constant([1.0 + i, -2.0]),)
    Good:
        import numpy as np
        import tensorflow as tf

        def f(x):
            return tf.reduce_mean(x) * 2.0

        def make_args(i):
            return (tf.constant([1.0 + i, -2.0]),)
    """

    code = "TFC202"
    name = "numpy-on-tensor"
    framework = "tensorflow"
    severity = Severity.BREAK
    fix_safety = "verify"
    listens = (Call, Index)

    def concerns(self, callee: str) -> bool:
        return callee.startswith(_ROOTS) or callee == "divmod"

    def examine(self, event: Event) -> Iterator[Suspicion]:
        if isinstance(event, Index):
            if event.store and isinstance(event.base, Array) and event.stored is not None and tf_tensor_in(event.stored) is not None:
                yield self.suspect(event, f"`{source_of(event.at)}`: a NumPy array cannot hold a symbolic tensor", event.stored)
            return
        assert isinstance(event, Call)
        if event.callee in _HARMLESS:
            return
        for value in (*event.args, *event.kwargs.values()):
            found = contains_tensor(value, 2)
            if found is not None and tf_tensor_in(found) is not None and not (isinstance(value, Sequence) and value.kind == "size"):
                yield self.suspect(event, f"`{source_of(event.at)}` needs an array, which a symbolic tensor does not have", value)
                return

    def fix(self, suspicion: Suspicion, context: FixContext) -> Fix | Declined | None:
        event = suspicion.event
        from ..fixing.tensorflow.numpy_twins import twin_fix

        return twin_fix(event, context)
