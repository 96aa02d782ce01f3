"""Load a TensorFlow target: what is called, and with which inputs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import VerifyError
from ...shape_spec import FLOATING, INTEGER, ShapeSpec
from ...target import parse_target
from ..job import Job
from ..loading import Case, find, input_of, pairs_of_provider, pairs_of_shapes
from .api import np, tf
from .derived import derived_inputs
from .randomness import seed_everything


def load_cases(job: Job) -> list[Case]:
    """Import the target, ask it for its callables and inputs, and add inputs where it gives few.

    Raises:
        VerifyError: there is no such device, or the target is missing, raises, or returns something else than callables with inputs.
    """
    choose_device(job.device)
    seed_everything(job.seed)
    target = parse_target(job.target)
    with _receivers_held():
        found = find(target, job)
        pairs = pairs_of_shapes(found, target, job.inputs, _draw) if job.inputs else pairs_of_provider(found, target)
    cases = []
    for number, (function, inputs) in enumerate(pairs, 1):
        calls = [input_of(value, target) for value in inputs]
        prefix = f"pair {number}, " if len(pairs) > 1 else ""
        named = [(f"{prefix}input {index}", call) for index, call in enumerate(calls, 1)]
        named += [(f"{prefix}derived input, {what}", call) for what, call in derived_inputs(calls, job.seed)]
        named = [(name, call) for name, call in named if name not in job.leave_out]
        cases.append(Case(function, [call for _, call in named], [name for name, _ in named]))
    return cases


_held: list[Any] = []


@contextmanager
def _receivers_held() -> Iterator[None]:
    """Keep every object whose compiled method is taken: such a method does not, so that the provider's object would be gone."""
    function = type(tf.function(lambda: None))
    plain = function.__get__

    def get(method: Any, instance: Any, owner: Any) -> Any:
        _held.append(instance)
        return plain(method, instance, owner)

    function.__get__ = get
    try:
        yield
    finally:
        function.__get__ = plain


def choose_device(device: str) -> None:
    """Hide the GPUs for the CPU; otherwise see that there is one.

    Raises:
        VerifyError: TensorFlow sees no GPU.
    """
    if not device.startswith("cuda"):
        tf.config.set_visible_devices([], "GPU")
    elif not tf.config.list_physical_devices("GPU"):
        raise VerifyError(f"--device {device}: TensorFlow sees no GPU here (tensorflow {tf.__version__}); use --device cpu")


def _draw(spec: ShapeSpec) -> Any:
    if spec.dtype in FLOATING:
        if spec.low is None or spec.high is None:
            values = np.random.standard_normal(spec.shape)
        else:
            values = np.random.uniform(spec.low, spec.high, spec.shape)
    elif spec.dtype in INTEGER:
        values = np.random.randint(int(spec.low or 0), int(10 if spec.high is None else spec.high), spec.shape)
    elif spec.dtype == "bool":
        values = np.random.uniform(size=spec.shape) < 0.5
    else:
        values = np.random.standard_normal(spec.shape) + 1j * np.random.standard_normal(spec.shape)
    return tf.cast(tf.constant(values), getattr(tf, spec.dtype))
