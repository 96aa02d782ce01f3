"""Take any value apart into named leaves that can be saved, and compared without the user's classes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import torch

from .structure import Leaf

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_DEEPEST = 20


def leaves_of(value: Any, name: str) -> dict[str, Leaf]:
    """The leaves of ``value`` by their path; a container is a leaf of its own that holds its kind and length."""
    found: dict[str, Leaf] = {}
    _collect(value, name, found, 0)
    return found


def _collect(value: Any, name: str, found: dict[str, Leaf], depth: int) -> None:
    if isinstance(value, torch.Tensor):
        found[name] = _tensor(value)
    elif isinstance(value, _PLAIN):
        found[name] = {"kind": "value", "type": type(value).__name__, "value": value}
    elif depth > _DEEPEST:
        found[name] = {"kind": "object", "type": type(value).__qualname__}
    elif isinstance(value, torch.nn.Module):
        found[name] = {"kind": "object", "type": type(value).__qualname__}
        for part, tensor in [*value.named_parameters(), *value.named_buffers()]:
            found[f"{name}.{part}"] = _tensor(tensor)
    elif isinstance(value, Mapping):
        found[name] = {"kind": "container", "type": type(value).__qualname__, "keys": [repr(key) for key in value]}
        for key, item in value.items():
            _collect(item, f"{name}[{key!r}]", found, depth + 1)
    elif isinstance(value, list | tuple):
        found[name] = {"kind": "container", "type": type(value).__qualname__, "keys": [str(len(value))]}
        for index, item in enumerate(value):
            _collect(item, f"{name}[{index}]", found, depth + 1)
    elif isinstance(value, set | frozenset):
        found[name] = {"kind": "container", "type": type(value).__qualname__, "keys": sorted(map(repr, value))}
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        _attributes({field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}, value, name, found, depth)
    elif type(value).__module__ == "numpy" and hasattr(value, "__array__"):
        _numpy(value, name, found)
    elif hasattr(value, "__dict__") and not callable(value):
        _attributes(vars(value), value, name, found, depth)
    else:
        found[name] = {"kind": "object", "type": type(value).__qualname__, "repr": repr(value) if _repr_is_value(value) else ""}


def _attributes(attributes: Mapping[str, Any], value: Any, name: str, found: dict[str, Leaf], depth: int) -> None:
    found[name] = {"kind": "container", "type": type(value).__qualname__, "keys": list(attributes)}
    for key, item in attributes.items():
        _collect(item, f"{name}.{key}", found, depth + 1)


def _numpy(value: Any, name: str, found: dict[str, Leaf]) -> None:
    try:
        found[name] = {**_tensor(torch.as_tensor(value)), "type": type(value).__qualname__}
    except TypeError:
        found[name] = {"kind": "object", "type": type(value).__qualname__, "repr": repr(value)}


def _repr_is_value(value: Any) -> bool:
    # `<function f at 0x7f...>` names an address, which no other process shares.
    return isinstance(value, torch.dtype | torch.device | torch.Size | slice | range)


def _tensor(value: torch.Tensor) -> Leaf:
    plain = value.detach()
    strided = plain.layout == torch.strided and not plain.is_quantized
    stride = list(plain.stride()) if strided else None
    layout = str(plain.layout)
    if not strided:
        plain = plain.dequantize() if plain.is_quantized else plain.to_dense()
    return {
        "kind": "tensor",
        "type": "Tensor" if isinstance(value, torch.nn.Parameter) else type(value).__qualname__,
        "tensor": plain.cpu().clone().as_subclass(torch.Tensor),
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": list(value.shape),
        "stride": stride,
        "layout": layout,
        "device": value.device.type,
    }
