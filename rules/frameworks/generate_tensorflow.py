"""Generate the tables about TensorFlow from the installed one: ``python -m graph2static.rules.frameworks.generate_tensorflow``.

Sources: the public functions themselves, each called eagerly with small arguments in a child process; the definitions of the operations;
AutoGraph's conversion rules and overridden builtins; XLA's registered kernels; the rename tables of ``tf_upgrade_v2``.
Nothing imports this module but its own test.
"""

from __future__ import annotations

import inspect
import json
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tensorflow"
_SPACES = ("", "math", "linalg", "nn", "image", "strings", "random", "signal", "sparse", "ragged", "io", "debugging", "bitwise", "sets", "audio", "quantization", "dtypes", "autodiff")
_UNSAFE = ("io.gfile", "io.write", "io.read", "io.match", "io.matching", "random.set_", "random.create", "random.get_", "debugging.enable", "debugging.disable", "debugging.set_", "debugging.is_", "init_scope", "load_", "print", "device", "numpy_function", "py_function", "function", "while_loop", "map_fn", "scan", "fold", "cond", "case", "switch_case", "vectorized_map", "custom_gradient", "recompute_grad", "stop_training", "name_scope", "control_dependencies", "Assert", "executing_eagerly", "inside_function", "register_", "debugging.experimental", "timestamp", "grad_pass_through", "gradients", "hessians", "no_gradient", "debugging.get_log", "io.TFRecord", "get_logger")
_CALLS_BACK = {"cond", "while_loop", "map", "scan", "fori_loop", "vectorized_map", "associative_scan", "custom_gradient", "switch", "vectorize"}
_SECONDS = 5.0


def tables() -> dict[str, Any]:
    """All tables of the installed TensorFlow."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    import tensorflow as tf

    return {
        "tensorflow": tf.__version__,
        "functions": _functions(tf),
        "tensor_members": _tensor_members(tf),
        "autograph": _autograph(),
        "xla": _xla(tf),
        "removed": _removed(tf),
    }


def _public(tf: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for space in _SPACES:
        module = getattr(tf, space, None) if space else tf
        for name in sorted(dir(module)) if module is not None else []:
            value = getattr(module, name, None)
            if name.startswith("_") or inspect.isclass(value) or inspect.ismodule(value) or not callable(value):
                continue
            yield (f"tf.{space}.{name}" if space else f"tf.{name}"), value
    for name in sorted(dir(tf.keras.ops)):
        if not name.startswith("_") and inspect.isfunction(getattr(tf.keras.ops, name)):
            yield f"keras.ops.{name}", getattr(tf.keras.ops, name)


def _functions(tf: Any) -> dict[str, list[Any]]:
    """Public functions: their parameters, what they return, and how its dtype follows from the arguments."""
    found = {}
    for name, function in _public(tf):
        try:
            parameters = [p.name for p in inspect.signature(function).parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        except (TypeError, ValueError):
            parameters = []
        result, dtype = ("", "") if name.partition(".")[2].startswith(_UNSAFE) or (name.startswith("keras.ops.") and name[10:] in _CALLS_BACK) else _in_child(partial(_probe, tf, function, parameters))
        if not result:
            result, dtype = _documented(function), ""
        found[name] = [parameters, result, dtype]
    return found


def _in_child(probe: Callable[[], tuple[str, str]]) -> tuple[str, str]:
    """What a probe says, run in a child that may crash, hang or change global state without harm."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            os.write(writing, pickle.dumps(probe()))
        finally:
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], _SECONDS)
    data = os.read(reading, 65536) if ready else b""
    os.close(reading)
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return pickle.loads(data) if data else ("", "")


def _candidates(tf: Any) -> list[tuple[str, Any]]:
    """Tensors of each dtype to begin with."""
    square = [[2.0, 0.5], [0.5, 3.0]]
    return [
        ("float", tf.constant(square)),
        ("float", tf.constant([0.25, 0.5, 0.75])),
        ("float", tf.ones([1, 4, 4, 3])),
        ("int", tf.constant([[1, 2], [3, 4]])),
        ("int", tf.constant([1, 0, 2])),
        ("bool", tf.constant([True, False, True])),
        ("string", tf.constant(["1", "2"])),
        ("complex", tf.cast(tf.constant(square), tf.complex64)),
    ]


_BY_NAME: dict[str, Any] = {
    "axis": 0, "axes": 1, "perm": None, "depth": 3, "num": None, "num_or_size_splits": 2, "multiples": [1, 1], "paddings": [[0, 0], [0, 0]], "k": 1,
    "num_segments": 3, "maxlen": 3, "clip_value_min": 0.0, "clip_value_max": 1.0, "clip_norm": 1.0, "seed": [1, 2], "minval": 0, "maxval": 5,
    "num_samples": 1, "rate": 0.5, "lower": 0.1, "upper": 0.9, "factor": 0.5, "delta": 0.1, "height": 2, "width": 2, "ksize": 2, "strides": 1,
    "padding": "SAME", "alpha": 0.5, "equation": "ij,jk->ik", "num_lower": -1, "num_upper": 0, "frame_length": 2, "frame_step": 1, "fft_length": None,
    "filter_size": 2, "out_type": None, "pattern": "1", "rewrite": "2", "sep": ",", "block_size": 2, "size": [2, 2], "diagonal": None, "num_rows": 2,
    "num_buckets": 4, "value_range": [0.0, 1.0], "shift": 1, "capacity": 3, "message": "m", "k_": 1, "gain": 1.0, "gamma": 1.0, "contrast_factor": 0.5,
}  # fmt: skip


def _probe(tf: Any, function: Callable[..., Any], parameters: list[str]) -> tuple[str, str]:
    """Call a function with one candidate after the other until it takes them; the kind of its result and the rule for its dtype."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (the child ends soon)
    try:
        required = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        return "", ""
    seen: dict[str, Any] = {}
    kind = ""
    for dtype, tensor in _candidates(tf):
        for call in _calls(tf, required, tensor):
            try:
                result = function(*call)
            except Exception:
                continue
            kind = kind or _kind(tf, result)
            seen[dtype] = _result_dtype(tf, result)
            break
    if not seen or not kind:
        return "", ""
    if "dtype" in parameters and "dtype" not in required and len(set(seen.values())) == 1 and not kind.startswith("static"):
        only = next(iter(seen.values()))
        return kind, f"argument:dtype:{only}"
    if all(_class_of(value) == dtype for dtype, value in seen.items()) and (len(seen) > 1 or "float" in seen):
        return kind, "first"
    values = set(seen.values())
    return kind, values.pop() if len(values) == 1 else ""


def _calls(tf: Any, required: list[str], tensor: Any) -> Iterator[tuple[Any, ...]]:
    if not required:
        yield ()
        return
    named = [_BY_NAME.get(name, tensor) for name in required]
    yield tuple(named)
    shaped = tuple([2, 2] if name in ("shape", "dims", "size") else value for name, value in zip(required, named))
    yield shaped
    yield tuple(tensor for _ in required)
    yield ([tensor, tensor], *named[1:])
    if len(required) > 1:
        yield (tensor, tf.constant([0, 1, 1][: int(tensor.shape[0])]), *named[2:])
        yield (tensor, tf.float32, *named[2:])
        yield (tensor, 2, *named[2:])


def _kind(tf: Any, result: Any) -> str:
    if result is None:
        return "None"
    if isinstance(result, tf.RaggedTensor):
        return "Ragged"
    if isinstance(result, tf.SparseTensor):
        return "Sparse"
    if isinstance(result, tf.Variable):
        return "Variable"
    if tf.is_tensor(result):
        return "Tensor"
    if isinstance(result, tf.data.Dataset):
        return "Dataset"
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return "namedtuple:" + ",".join(f"{name}={_kind(tf, part)}" for name, part in zip(result._fields, result))
    if isinstance(result, tuple):
        return "tuple:" + ",".join(_kind(tf, part) for part in result)
    if isinstance(result, list):
        return "list"
    if isinstance(result, (bool, int, float, str, tf.TensorShape, tf.DType)):
        return "static"
    return ""


def _result_dtype(tf: Any, result: Any) -> str:
    flat = [item for item in tf.nest.flatten(result) if tf.is_tensor(item)]
    return str(flat[0].dtype.name) if flat else ""


def _class_of(name: str) -> str:
    for dtype in ("float", "int", "bool", "string", "complex"):
        if name.startswith(dtype) or (dtype == "int" and name.startswith("uint")):
            return dtype
    return name


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


def _tensor_members(tf: Any) -> dict[str, str]:
    """Members of a symbolic tensor; "eager" for those that only an eager tensor has, "raises" for those that raise in a graph."""
    eager = tf.constant([1.0, 2.0])
    symbolic: dict[str, str] = {}

    @tf.function(autograph=False)  # type: ignore[untyped-decorator, unused-ignore]
    def look(x: Any) -> Any:
        for name in dir(x):
            if not name.startswith("_"):
                try:
                    symbolic[name] = "method" if callable(getattr(x, name)) else "attribute"
                except Exception:
                    symbolic[name] = "raises"
        return x

    look(eager)
    for name in dir(eager):
        if not name.startswith("_") and name not in symbolic:
            symbolic[name] = "eager"
    return {name: symbolic[name] for name in sorted(symbolic)}


def _autograph() -> dict[str, list[str]]:
    from tensorflow.python.autograph.core import config
    from tensorflow.python.autograph.operators import py_builtins

    rules = [(type(rule).__name__, rule._prefix) for rule in config.CONVERSION_RULES]
    return {
        "do_not_convert": sorted({prefix for kind, prefix in rules if kind == "DoNotConvert"}),
        "convert": sorted({prefix for kind, prefix in rules if kind == "Convert"}),
        "overridden_builtins": sorted(function.__name__ for function in py_builtins.SUPPORTED_BUILTINS),
    }


def _xla(tf: Any) -> dict[str, list[str]]:
    """Operations without a kernel for XLA, and the public functions of the same name."""
    from tensorflow.python.framework import kernels

    without = set()
    for name in dir(tf.raw_ops):
        if name.startswith("_") or not name[0].isupper():
            continue
        devices = {kernel.device_type for kernel in kernels.get_registered_kernels_for_op(name).kernel}
        if devices and not any(device.startswith("XLA") for device in devices):
            without.add(name)
    public = [name for name, function in _public(tf) if name.startswith("tf.") and {_operation(name[3:]), _operation(_own_name(function))} & without]
    return {"operations_without_kernel": sorted(without), "functions_without_kernel": sorted(public)}


def _own_name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", "")).removesuffix("_v2")


_SPACED = {"strings": "String", "sparse": "Sparse", "ragged": "Ragged", "image": "", "io": "", "audio": "Audio"}


def _operation(name: str) -> str:
    """The name of the operation that a public function most likely is."""
    space, _, short = name.rpartition(".")
    words = "".join(part.capitalize() for part in short.split("_"))
    return words if not space or space in ("math", "linalg", "nn", "image", "io", "random", "signal", "bitwise") else _SPACED.get(space, "") + words


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
