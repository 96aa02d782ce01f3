"""Read the definitions of TensorFlow's operations: what the functions generated from them return, and which of them XLA compiles."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any


def operation_of(function: Callable[..., Any]) -> str:
    """The operation that a generated function makes, "" for a function written by hand."""
    if ".gen_" not in str(getattr(function, "__module__", "")):
        return ""
    return _by_short_name().get(str(getattr(function, "__name__", "")).replace("_", ""), "")


def operations_in_source(function: Callable[..., Any]) -> tuple[str, ...]:
    """The operations that the source of a function makes itself, or in a helper of its own module that it calls."""
    function = inspect.unwrap(function)
    sources = []
    try:
        sources.append(inspect.getsource(function))
        for name in re.findall(r"(?<![\w.])(\w+)\(", sources[0]):
            helper = getattr(function, "__globals__", {}).get(name)
            if inspect.isfunction(helper) and helper is not function and helper.__module__ == function.__module__:
                sources.append(inspect.getsource(helper))
    except (TypeError, OSError):
        return ()
    made = {name for source in sources for name in re.findall(r"\bgen_\w+\.(\w+)\(", source)}
    return tuple(sorted(operation for name in made if (operation := _by_short_name().get(name.replace("_", "").lower()))))


@cache
def _by_short_name() -> dict[str, str]:
    """The names of operations by what is left of them in lower case."""
    from tensorflow import raw_ops

    return {name.lower(): name for name in dir(raw_ops) if not name.startswith("_")}


def by_definition(tf: Any, function: Callable[..., Any]) -> tuple[str, str] | None:
    """The kind of result and the rule for its dtype by the definition of the operation, None for a function written by hand."""
    from tensorflow.python.framework import op_def_registry

    name = operation_of(function)
    definition = op_def_registry.get(name) if name else None
    if definition is None:
        return None
    outputs = list(definition.output_arg)
    kinds = ["list" if output.number_attr or output.type_list_attr else "Tensor" for output in outputs]
    if not outputs:
        return "None", ""
    result = kinds[0] if len(kinds) == 1 else "namedtuple:" + ",".join(f"{output.name}={kind}" for output, kind in zip(outputs, kinds))
    return result, _dtype(tf, function, definition)


def _dtype(tf: Any, function: Callable[..., Any], definition: Any) -> str:
    output = definition.output_arg[0]
    if output.type:
        return str(tf.as_dtype(output.type).name)
    attribute = output.type_attr
    if definition.input_arg and definition.input_arg[0].type_attr == attribute:
        return "first"
    if attribute and attribute in inspect.signature(function).parameters:
        default = next((a.default_value.type for a in definition.attr if a.name == attribute), 0)
        return f"argument:{attribute}:{tf.as_dtype(default).name if default else ''}"
    return ""


def without_xla_kernel(tf: Any) -> frozenset[str]:
    """Operations that have kernels, but none that XLA compiles."""
    from tensorflow.python.framework import kernels

    tf.function(lambda: tf.constant(1), jit_compile=True)()  # XLA registers its kernels when it is first used
    found = set()
    for name in _by_short_name().values():
        devices = {kernel.device_type for kernel in kernels.get_registered_kernels_for_op(name).kernel}
        if devices and not any(device.startswith("XLA") for device in devices):
            found.add(name)
    return frozenset(found)
