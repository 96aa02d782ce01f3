"""Callables outside the project: builtins, the standard library, numpy and torch by dotted name."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from .binding import Arguments
from .builtins_model import BUILTINS
from .calls import call, emit_call
from .capture import TENSORFLOW
from .frame import Frame
from .values import (
    join_all,
    FALSE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_FLOAT,
    STATIC_STR,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    Partial,
    Scalar,
    Sequence,
    Tensor,
    Value,
    contains_tensor,
    members_of,
)

_DECIDED = {
    "torch.compiler.is_compiling": True,
    "torch.compiler.is_dynamo_compiling": True,
    "torch._dynamo.is_compiling": True,
    "torch._dynamo.external_utils.is_compiling": True,
    "torch._utils.is_compiling": True,
    "torch._dynamo.is_dynamo_supported": True,
    "torch.compiler.is_exporting": False,
    "torch.jit.is_scripting": False,
    "torch.jit.is_tracing": False,
    "torch._C._get_tracing_state": None,
    "torch.fx._symbolic_trace.is_fx_tracing": False,
    "torch.onnx.is_in_onnx_export": False,
    "torch.utils._pytree.is_fx_tracing": False,
    "torch.distributed.is_initialized": None,
}
"""Questions that are decided while Dynamo traces, with their answer (None: not decided)."""
_TRANSPARENT = {
    "torch.compile", "torch.no_grad", "torch.enable_grad", "torch.inference_mode", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export",
    "torch.jit.script_if_tracing", "functools.wraps", "functools.lru_cache", "functools.cache", "torch.fx.wrap", "torch.jit.script",
    "torch.compiler.substitute_in_graph", "contextlib.contextmanager", "typing.cast", "torch.cuda.amp.custom_fwd", "torch.cuda.amp.custom_bwd",
    "torch.amp.custom_fwd", "torch.amp.custom_bwd", "torch.jit._overload", "torch.autograd.function.once_differentiable", "copy.copy",
    "functools.singledispatch",
}  # fmt: skip
"""Calls that give back (what behaves like) their argument."""
_HIGHER_ORDER = {
    "torch.utils.checkpoint.checkpoint": 0,
    "torch.func.vmap": None,
    "torch.vmap": None,
    "torch.func.functional_call": None,
}
_CONTEXTS = (
    "torch.no_grad", "torch.enable_grad", "torch.inference_mode", "torch.set_grad_enabled", "torch.autocast", "torch.amp.autocast",
    "torch.cuda.amp.autocast", "torch.cpu.amp.autocast", "torch.profiler.record_function", "torch.autograd.profiler.record_function",
    "contextlib.nullcontext", "torch.device", "torch.nn.attention.sdpa_kernel", "torch.cuda.nvtx.range",
)  # fmt: skip


def constant(name: str) -> Value | None:
    """The value of an external name that is a constant."""
    if name.startswith("tensorflow."):
        return tensorflow_functions.constant_value(name)
    if name.startswith("torch."):
        short = name[6:]
        if short in _DTYPES:
            return Scalar("torch.dtype:" + _DTYPES[short])
        if short in ("inf", "pi", "e", "nan"):
            return STATIC_FLOAT
        if short in ("strided", "sparse_coo", "channels_last", "contiguous_format", "preserve_format", "sparse_csr", "__version__"):
            return STATIC_ANY
    elif name.startswith("math."):
        known = getattr(math, name[5:], None)
        if isinstance(known, float):
            return Const(known)
    elif name.startswith("sys.") and name[4:] in ("platform", "maxsize", "argv", "version_info", "byteorder"):
        return STATIC_ANY
    elif name in ("typing.TYPE_CHECKING",):
        return FALSE
    elif name.startswith("numpy.") and name[6:] in ("pi", "e", "inf", "nan", "newaxis"):
        return Const(None) if name == "numpy.newaxis" else STATIC_FLOAT
    return None


_DTYPES = {
    **dict.fromkeys(("float32", "float", "float64", "double", "float16", "half", "bfloat16", "float8_e4m3fn", "float8_e5m2"), "float"),
    **dict.fromkeys(("int64", "long", "int32", "int", "int16", "short", "int8", "uint8", "uint16", "uint32", "uint64"), "int"),
    "bool": "bool",
    **dict.fromkeys(("complex64", "complex128", "cfloat", "cdouble"), "complex"),
}


def dtype_of(value: Value | None) -> str | None:
    """The dtype class that a ``dtype=`` argument names; None when none is given, "" when it is not known."""
    if value is None or (isinstance(value, Const) and value.value is None):
        return None
    if isinstance(value, Scalar) and value.type.startswith("torch.dtype:"):
        return value.type.partition(":")[2]
    if isinstance(value, External):
        return {"builtins.float": "float", "builtins.int": "int", "builtins.bool": "bool", "torch.Tensor": "float"}.get(value.name, "")
    return ""


def call_external(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of calling something outside the project."""
    if name in _DECIDED:
        decided = _DECIDED[name]
        return STATIC_BOOL if decided is None else TRUE if decided else FALSE
    if name in ("torch.jit.script", "torch.jit.trace") and arguments.args and isinstance(arguments.args[0], Instance):
        return Instance(External("torch.jit.ScriptModule"), arguments.args[0].key())
    if name in _TRANSPARENT and arguments.args and isinstance(arguments.args[-1], (Function, BoundMethod, Instance, Partial, Mapping, Tensor)):
        return arguments.args[-1]
    if name in _CONTEXTS:
        return External(name)
    if name == "functools.partial" or name == "functools.partialmethod":
        if arguments.args:
            return Partial(arguments.args[0], arguments.args[1:], dict(arguments.kwargs))
        return UNKNOWN
    if name in _HIGHER_ORDER:
        return _higher_order(name, arguments, frame, node)
    if name.startswith("builtins."):
        model = BUILTINS.get(name[9:])
        if frame.capture.framework == TENSORFLOW:
            overridden = tensorflow_builtins.overridden(name[9:], arguments, frame, node)
            if overridden is not None:
                emit_call(name[9:], None, arguments, overridden, frame, node)
                return overridden
        result = model(arguments, frame, node) if model is not None else UNKNOWN
        emit_call(name[9:], None, arguments, result, frame, node)
        return result
    result = _result(name, arguments, frame, node)
    emit_call(name, None, arguments, result, frame, node)
    return result


def _higher_order(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    if _HIGHER_ORDER[name] == 0 and arguments.args:
        own = {"use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop"}
        kwargs = {k: v for k, v in arguments.kwargs.items() if k not in own}
        return call(arguments.args[0], Arguments(arguments.args[1:], kwargs, arguments.rest), frame, node)
    if name.endswith("vmap") and arguments.args:
        return arguments.args[0]
    return UNKNOWN


def _result(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    root = name.partition(".")[0]
    if root in ("tensorflow", "keras", "tf_keras"):
        return tensorflow_functions.call_tensorflow(name, arguments, frame, node)
    if root == "torch":
        return torch_functions.call_torch(name, arguments, frame, node)
    if root == "math":
        return _math(name, arguments)
    if root == "numpy":
        return _numpy(name, arguments)
    model = _STANDARD.get(name)
    if model is not None:
        return model(arguments)
    if name.rpartition(".")[2][:1].isupper() and root in ("threading", "queue", "io", "contextlib", "multiprocessing", "tempfile", "random", "string"):
        return Instance(External(name), "made")
    if root in ("os", "sys", "platform", "inspect", "importlib", "pathlib", "re", "json", "string", "textwrap"):
        return STATIC_ANY
    if root in ("time", "random", "datetime", "uuid"):
        return Scalar("float" if name in ("time.time", "time.perf_counter", "random.random", "random.uniform", "random.gauss") else "")
    if root == "einops":
        tensor = contains_tensor(arguments.args[0]) if arguments.args else None
        if tensor is not None and name in ("einops.rearrange", "einops.repeat", "einops.reduce", "einops.einsum"):
            return Tensor(tensor.dtype if name != "einops.einsum" else "", None, tensor.why, tensor.likely)
        return UNKNOWN
    if root == "logging" and name in ("logging.getLogger", "logging.Logger", "logging.LoggerAdapter"):
        return Instance(External("logging.Logger"), "logger")
    if "get_logger" in name or name.endswith("getLogger"):
        return Instance(External("logging.Logger"), "logger")
    return UNKNOWN


def _math(name: str, arguments: Arguments) -> Value:
    if name[5:] in ("ceil", "floor", "gcd", "lcm", "comb", "perm", "factorial", "isqrt", "trunc"):
        kind = "int"
    elif name[5:] in ("isnan", "isinf", "isfinite", "isclose"):
        kind = "bool"
    else:
        kind = "float"
    if arguments.exact and arguments.args and all(isinstance(a, Const) for a in arguments.args):
        function = getattr(math, name[5:], None)
        try:
            return Const(function(*[a.value for a in arguments.args if isinstance(a, Const)]))  # type: ignore[misc]
        except Exception:
            return Scalar(kind)
    origins = [a.origin for a in arguments.args if isinstance(a, Scalar)]
    return Scalar(kind, "shape" if "shape" in origins else "static")


_NUMPY_BOOLS = {"isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not", "isin", "less", "greater", "equal"}


def _numpy(name: str, arguments: Arguments) -> Value:
    short = name[6:]
    if short in ("random.RandomState", "random.default_rng", "random.Generator"):
        return Instance(External("numpy.random.RandomState"), "made")
    if short in ("float32", "float64", "int64", "int32", "float16", "uint8", "bool_", "int8", "int16"):
        if not arguments.args:
            return STATIC_ANY
        return Scalar("float" if short.startswith("float") else "int", origin="static")
    if short in ("finfo", "iinfo", "dtype", "ndim", "shape"):
        return STATIC_ANY
    values = [*arguments.args, *arguments.kwargs.values()]
    constant_only = not any(contains_tensor(v) is not None or any(isinstance(m, Array) and not m.constant for m in members_of(v)) for v in values)
    unknown = any(v is UNKNOWN for v in values) or not arguments.exact
    scalar = short in ("sum", "mean", "max", "min", "prod", "any", "all", "std", "var", "median", "argmax", "argmin", "linalg.norm") and (
        len(arguments.args) == 1 and "axis" not in arguments.kwargs
    )
    if constant_only and values and all(isinstance(v, (Const, Scalar)) for v in values):
        return Scalar("float") if not short.startswith(("zeros", "ones", "arange", "linspace", "array", "asarray", "eye", "random")) else Array(constant=True)
    return Array("bool" if short in _NUMPY_BOOLS else "", scalar, constant_only or unknown)


def _ordered_dict(arguments: Arguments) -> Value:
    if arguments.args and isinstance(arguments.args[0], Mapping):
        source = arguments.args[0]
        return Mapping({**source.entries, **arguments.kwargs}, source.other)
    if arguments.args and isinstance(arguments.args[0], Sequence):
        entries: dict[object, Value] = {}
        for pair in arguments.args[0].elements or []:
            if isinstance(pair, Sequence) and pair.elements is not None and len(pair.elements) == 2 and isinstance(pair.elements[0], Const):
                entries[pair.elements[0].value] = pair.elements[1]
        return Mapping(entries, None if entries else UNKNOWN)
    return Mapping(dict(arguments.kwargs))


def _chain(arguments: Arguments) -> Value:
    parts = [expressions.element_of(a) for a in arguments.args]
    return Sequence("iterator", None, join_all(parts) if parts else UNKNOWN)


def _product(arguments: Arguments) -> Value:
    return Sequence("iterator", None, Sequence("tuple", [expressions.element_of(a) for a in arguments.args]))


def _deepcopy(arguments: Arguments) -> Value:
    return arguments.args[0] if arguments.args else UNKNOWN


_STANDARD: dict[str, Callable[[Arguments], Value]] = {
    "collections.OrderedDict": _ordered_dict,
    "collections.defaultdict": lambda a: Mapping(None, Sequence("list", None, None) if a.args and isinstance(a.args[0], External) and a.args[0].name == "builtins.list" else None),
    "collections.deque": lambda a: Sequence("deque", None, a.args[0].any() if a.args and isinstance(a.args[0], Sequence) else None),
    "itertools.chain": _chain,
    "itertools.product": _product,
    "itertools.repeat": lambda a: Sequence("iterator", None, a.args[0] if a.args else UNKNOWN),
    "copy.deepcopy": _deepcopy,
    "importlib.util.find_spec": lambda a: STATIC_ANY,
    "os.environ.get": lambda a: STATIC_STR,
    "os.getenv": lambda a: STATIC_STR,
    "types.SimpleNamespace": lambda a: _namespace(a),
    "typing.cast": lambda a: a.args[1] if len(a.args) > 1 else UNKNOWN,
    "packaging.version.parse": lambda a: STATIC_ANY,
}


def _namespace(arguments: Arguments) -> Value:
    instance = Instance(External("types.SimpleNamespace"), tuple((k, v.key()) for k, v in arguments.kwargs.items()))
    instance.attributes.update(arguments.kwargs)
    return instance


from . import expressions, torch_functions  # noqa: E402
from .tensorflow import builtins as tensorflow_builtins  # noqa: E402
from .tensorflow import functions as tensorflow_functions  # noqa: E402  (these call back into this module)

__all__ = ["Method", "call_external", "constant", "dtype_of"]
