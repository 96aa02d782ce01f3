"""Generate the tables about TensorFlow from the installed one: ``python -m graph2static.rules.frameworks.generate_tensorflow``.

Sources: the definitions of the operations; the public functions themselves, called and traced with small arguments in a child process;
the members of tensors, variables and classes; AutoGraph's rules and converters; XLA's registered kernels; the rename tables of ``tf_upgrade_v2``.
Nothing imports this module but its own test.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .probe_tensorflow import Probed, probe_all
from .tensorflow_definitions import operation_of, operations_in_source, without_xla_kernel
from .tensorflow_members import autograph, classes, tensor_members, variable_members

FOLDER = Path(__file__).parent / "tensorflow"
_SPACES = (
    "", "math", "linalg", "nn", "image", "strings", "random", "signal", "sparse", "ragged", "io", "debugging", "bitwise", "sets", "audio", "quantization", "dtypes", "autodiff",
    "experimental.numpy", "keras.activations", "keras.losses", "linalg.experimental", "nn.experimental", "random.experimental",
)  # fmt: skip
_UNSAFE = ("io.gfile", "io.write", "io.read", "io.match", "io.matching", "random.set_", "random.create", "random.get_", "debugging.enable", "debugging.disable", "debugging.set_", "debugging.is_", "init_scope", "load_", "print", "device", "numpy_function", "py_function", "function", "while_loop", "map_fn", "scan", "fold", "cond", "case", "switch_case", "vectorized_map", "custom_gradient", "recompute_grad", "stop_training", "name_scope", "control_dependencies", "Assert", "executing_eagerly", "inside_function", "register_", "debugging.experimental", "timestamp", "grad_pass_through", "gradients", "hessians", "no_gradient", "debugging.get_log", "io.TFRecord", "get_logger", "experimental.numpy.experimental_enable", "keras.activations.get", "keras.activations.des", "keras.losses.get", "keras.losses.des", "random.experimental.get", "random.experimental.set", "random.experimental.create")
_CALLS_BACK = {"cond", "while_loop", "map", "scan", "fori_loop", "vectorized_map", "associative_scan", "custom_gradient", "switch", "vectorize"}


def tables() -> dict[str, Any]:
    """All tables of the installed TensorFlow."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    import tensorflow as tf

    probed = _probed(tf)  # first: a process that has run TensorFlow must not be forked
    return {
        "tensorflow": tf.__version__,
        "functions": _functions(tf, probed),
        "tensor_members": tensor_members(tf),
        "variable_members": variable_members(tf),
        "classes": classes(tf),
        "autograph": autograph(),
        "xla": _xla(tf, probed),
        "removed": _removed(tf),
        "compat_v1_missing": _missing_in_compat(tf),
    }


def _public(tf: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for space in _SPACES:
        module = tf
        for part in space.split(".") if space else ():
            module = getattr(module, part)
        for name in sorted(dir(module)):
            value = getattr(module, name, None)
            if name.startswith("_") or inspect.isclass(value) or inspect.ismodule(value) or not callable(value):
                continue
            yield (f"tf.{space}.{name}" if space else f"tf.{name}"), value
    for name in sorted(dir(tf.keras.ops)):
        if not name.startswith("_") and inspect.isfunction(getattr(tf.keras.ops, name)):
            yield f"keras.ops.{name}", getattr(tf.keras.ops, name)


def _probed(tf: Any) -> dict[str, Probed]:
    """What probing tells of each public function that may be called; a function of several names is probed once."""
    callable_ones = {name: function for name, function in _public(tf) if not _is_unsafe(name)}
    distinct = {id(function): function for function in callable_ones.values()}
    answers = dict(zip(distinct, probe_all(tf, list(distinct.values()))))
    return {name: answers[id(function)] for name, function in callable_ones.items()}


def _is_unsafe(name: str) -> bool:
    """Whether calling it would touch files, devices or the state of the process, or needs a function to call back."""
    return name.partition(".")[2].startswith(_UNSAFE) or (name.startswith("keras.ops.") and name[10:] in _CALLS_BACK)


def _functions(tf: Any, probed: dict[str, Probed]) -> dict[str, list[Any]]:
    """Public functions: their parameters, what they return, how its dtype follows from the arguments, and the parameters that change either."""
    found = {}
    for name, function in _public(tf):
        try:
            parameters = [p.name for p in inspect.signature(function).parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        except (TypeError, ValueError):
            parameters = []
        known = probed.get(name, Probed())
        result = known.result if known.called or known.result else _documented(function)
        found[name] = [parameters, result, known.dtype, list(known.varying)]
    return found


def _documented(function: Callable[..., Any]) -> str:
    """The kind of result that a docstring's "Returns" section begins with."""
    text = inspect.getdoc(function) or ""
    _, found, rest = text.partition("Returns:")
    head = rest.strip().lower()[:60]
    if not found:
        return ""
    for words, kind in (("a list of", "list"), ("a tuple", "tuple:?"), ("none", "None"), ("a `tensor", "Tensor"), ("a tensor", "Tensor"), ("`tensor`", "Tensor"), ("the ", ""), ("a `sparsetensor", "Sparse")):
        if head.startswith(words):
            return kind
    return "Tensor" if "tensor" in head[:30] and "list" not in head else ""


def _xla(tf: Any, probed: dict[str, Probed]) -> dict[str, list[str]]:
    """Operations without a kernel for XLA, and the public functions that put one of them into a graph, by their source where they could not be traced."""
    without = without_xla_kernel(tf) - {"Placeholder"}
    public = []
    for name, function in _public(tf):
        operations = probed.get(name, Probed()).operations or (operation_of(function), *operations_in_source(function))
        if name.startswith("tf.") and without.intersection(operations):
            public.append(name)
    return {"operations_without_kernel": sorted(without), "functions_without_kernel": sorted(public)}


def _removed(tf: Any) -> dict[str, str | None]:
    """Names of TensorFlow 1 that do not resolve any more, with a name that does in their place."""
    from tensorflow.tools.compatibility import all_renames_v2, renames_v2

    renames = {**renames_v2.renames, **all_renames_v2.symbol_renames}
    gone: dict[str, str | None] = {}
    for old, new in sorted(renames.items()):
        if not old.startswith("tf.") or old.startswith(("tf.keras", "tf.compat")) or _resolves(tf, old):
            continue
        gone[old] = new if _resolves(tf, new) and ".compat." not in new else None
    return gone


def _missing_in_compat(tf: Any) -> list[str]:
    """Names under ``tf.compat.v1`` that the tables of ``tf_upgrade_v2`` speak of and that do not resolve, or raise, any more."""
    from tensorflow.tools.compatibility import all_renames_v2, renames_v2, reorders_v2

    renames = {**renames_v2.renames, **all_renames_v2.symbol_renames}
    of_old = {name.replace("tf.", "tf.compat.v1.", 1) for name in (*renames, *reorders_v2.reorders) if name.startswith("tf.") and ".compat." not in name}
    named = {name for name in (*renames.values(), *reorders_v2.reorders) if name.startswith("tf.compat.v1.")}
    return sorted(name for name in of_old | named if not _resolves(tf, name))


def _resolves(tf: Any, name: str) -> bool:
    value = tf
    for part in name.split(".")[1:]:
        try:
            value = getattr(value, part)
        except Exception:
            return False
    return True


def rendered(content: dict[str, Any]) -> str:
    """The tables as they are checked in: one entry a line, in order."""
    lines = ["{"]
    for number, (key, value) in enumerate(content.items()):
        comma = "," if number < len(content) - 1 else ""
        if isinstance(value, dict):
            inner = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f" {json.dumps(key)}: {{\n{inner}\n }}{comma}")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}{comma}")
    return "\n".join([*lines, "}"]) + "\n"


def main() -> None:
    """Write the tables of the installed TensorFlow."""
    content = tables()
    release = ".".join(content["tensorflow"].split(".")[:2])
    path = FOLDER / f"tensorflow-{release}.json"
    path.write_text(rendered(content), encoding="utf-8")
    print(f"{path}: {', '.join(f'{len(v)} {k}' for k, v in content.items() if k != 'tensorflow')}", file=sys.stderr)


if __name__ == "__main__":
    main()
