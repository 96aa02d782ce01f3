"""Arguments to try TensorFlow's functions with, chosen by the names of their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

DTYPES = ("float32", "float64", "int32", "int64", "bool", "string", "complex64", "complex128")
_SHAPES = ((2, 2), (3,), (1, 4, 4, 3), (4, 4, 3), (1, 4, 3), (1, 4, 4, 4, 3), ())
_OF_IMAGES = {"filters", "filter", "kernel", "strides", "ksize", "image", "images", "block_size", "pooling_type"}

_BY_NAME: dict[str, Any] = {
    "axis": 0, "axes": 1, "depth": 3, "num": 3, "num_or_size_splits": 2, "multiples": [1, 1], "paddings": [[0, 0], [0, 0]], "k": 1, "num_segments": 3, "maxlen": 3,
    "clip_value_min": 0.0, "clip_value_max": 1.0, "clip_norm": 1.0, "seed": [1, 2], "minval": 0, "maxval": 5, "num_samples": 1, "rate": 0.5, "lower": 0.1, "upper": 0.9,
    "factor": 0.5, "delta": 0.1, "height": 2, "width": 2, "target_height": 2, "target_width": 2, "offset_height": 0, "offset_width": 0, "ksize": 2, "strides": 1,
    "padding": "SAME", "alpha": 0.5, "num_lower": -1, "num_upper": 0, "frame_length": 2, "frame_step": 1, "frame_size": 2, "hop_length": 1, "window_length": 4,
    "sequence_length": 4, "sequence_stride": 1, "fft_length": None, "filter_size": 2, "pattern": "1", "rewrite": "2", "sep": ",", "block_size": 2, "size": [2, 2], "num_rows": 2,
    "num_buckets": 4, "value_range": [0.0, 1.0], "shift": 1, "capacity": 3, "message": "m", "gain": 1.0, "gamma": 1.0, "contrast_factor": 0.5, "max_delta": 0.1,
    "saturation_factor": 0.5, "min_jpeg_quality": 70, "max_jpeg_quality": 90, "jpeg_quality": 75, "central_fraction": 0.5, "max_output_size": 2, "window_shape": [2, 2],
    "pooling_type": "MAX", "max_val": 1.0, "depth_radius": 2, "input_encoding": "UTF-8", "output_encoding": "UTF-8", "num_features": 3, "num_classes": 3, "blank_index": 0,
    "pool_size": 2, "num_or_sections": 2, "indices_or_sections": 1, "source": 0, "destination": 0, "axis1": 0, "axis2": 1, "repeats": 2, "pad_width": 1, "shape": [2, 2],
    "dims": [2, 2], "row_splits": [0, 1, 2], "num_columns": 2, "num_bands": 2, "newshape": [-1], "subscripts": "ij,jk->ik", "dtype": "float32", "out_type": "float32", "type": "float32",
}  # fmt: skip


def required(function: Callable[..., Any]) -> list[str]:
    """The parameters of a function that have no default."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def shapes(names: list[str]) -> tuple[tuple[int, ...], ...]:
    """Shapes to try; those of images first for a function of images, some of which end the process on anything else."""
    return tuple(sorted(_SHAPES, key=lambda shape: -len(shape) if len(shape) == 4 else 0)) if _OF_IMAGES & set(names) else _SHAPES


def tensor(tf: Any, dtype: str, shape: tuple[int, ...]) -> Any:
    """A tensor whose numbers are positive, distinct along the diagonal and small."""
    if dtype == "string":
        return tf.fill(shape, "1")
    base = tf.ones(shape, tf.float64)
    if shape == (2, 2):
        base += tf.eye(2, dtype=tf.float64)
    return tf.cast(base, tf.as_dtype(dtype))


def calls(tf: Any, names: list[str], value: Any) -> Iterator[tuple[Any, ...]]:
    """Ways to fill the required parameters around a tensor, the likeliest first."""
    named = tuple(_special(tf, name, value) if name in _SPECIAL else _BY_NAME.get(name, value) for name in names)
    yield named
    yield tuple(value for _ in names)
    yield ([value, value], *named[1:])
    yield (*named[:1], tf.zeros([_rows(value)], tf.int32), *named[2:])[: len(names)]
    yield (*named[:1], 2, *named[2:])[: len(names)]
    yield (*named[:1], [1], *named[2:])[: len(names)]
    yield ("ij,jk->ik", value, value)
    yield (0.5, *named[1:])[: len(names)]
    yield (4, *named[1:])[: len(names)]
    sparse = tf.sparse.from_dense(value)
    yield tuple(sparse for _ in names)
    yield ([sparse, sparse], *named[1:])
    yield (0, [sparse, sparse])[: len(names)]


_SPECIAL = {"sp_input", "sp_a", "sp_b", "rt_input", "ragged", "filters", "filter", "kernel", "segment_ids", "indices", "boxes", "scores", "image", "images"}


def _rows(value: Any) -> int:
    return int(value.shape[0]) if value.shape.rank else 1


def _special(tf: Any, name: str, value: Any) -> Any:
    """A value of the parameter's own kind, of the tensor's dtype where it has one."""
    if name.startswith("sp_"):
        return tf.sparse.from_dense(value)
    if name in ("rt_input", "ragged"):
        return tf.RaggedTensor.from_row_lengths(tf.reshape(value, [-1]), [1, value.shape.num_elements() - 1])
    if name in ("filters", "filter", "kernel"):
        channels = int(value.shape[-1]) if value.shape.rank else 1
        return tf.ones([1] * (max(value.shape.rank, 3) - 2) + [channels, 1], value.dtype)
    if name in ("segment_ids", "indices"):
        return tf.zeros([_rows(value)], tf.int32)
    if name == "boxes":
        return tf.constant([[0.0, 0.0, 1.0, 1.0]])
    if name == "scores":
        return tf.constant([0.5])
    return value
