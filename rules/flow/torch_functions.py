"""Functions of torch: what they give back, by name, arity and arguments.

Tensor methods and functions of the same name share one description: ``x.sum(0)`` is ``torch.sum(x, 0)``.
"""

from __future__ import annotations

import ast

from ..frameworks.torch import tables
from .binding import Arguments
from .frame import Frame
from .values import (
    NONE,
    STATIC_ANY,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    UNKNOWN,
    Array,
    Const,
    External,
    Instance,
    Scalar,
    Sequence,
    Tensor,
    Value,
    Why,
    contains_tensor,
    join_all,
    tensor_in,
    type_name,
)

_BOOL = frozenset(
    """isnan isinf isfinite isposinf isneginf isreal isin logical_and logical_or logical_not logical_xor eq ne lt le gt ge less greater
    less_equal greater_equal not_equal isclose signbit bool any all logical_and_ logical_or_ logical_not_ eq_ ne_""".split()
)
_INT = frozenset(
    """argmax argmin argsort nonzero searchsorted bucketize long int randint randperm count_nonzero bincount argwhere multinomial_
    tril_indices triu_indices floor_divide_ short multinomial""".split()
)
_FLOAT = frozenset(
    """float double half bfloat16 sqrt rsqrt exp log log2 log10 log1p expm1 sin cos tan tanh sigmoid softmax log_softmax gelu relu6
    normalize mean std var norm erf dropout layer_norm batch_norm linear conv1d conv2d conv3d mse_loss l1_loss cross_entropy nll_loss
    binary_cross_entropy binary_cross_entropy_with_logits rand randn rand_like randn_like linspace logspace scaled_dot_product_attention cdist
    interpolate true_divide reciprocal bernoulli cosine_similarity softplus silu elu grid_sample atan2 acos asin atan""".split()
)
_REDUCTIONS = frozenset(
    """sum mean prod any all max min amax amin argmax argmin std var median norm logsumexp count_nonzero nansum nanmean numel_ quantile
    nanmedian aminmax cross_entropy mse_loss l1_loss nll_loss""".split()
)
_PAIRS = {
    "max": ("=", "int"), "min": ("=", "int"), "median": ("=", "int"), "nanmedian": ("=", "int"), "mode": ("=", "int"), "topk": ("=", "int"),
    "sort": ("=", "int"), "kthvalue": ("=", "int"), "cummax": ("=", "int"), "cummin": ("=", "int"), "std_mean": ("float", "float"),
    "var_mean": ("float", "float"), "aminmax": ("=", "="), "qr": ("=", "="), "slogdet": ("=", "="), "eigh": ("=", "="), "eig": ("", ""),
    "frexp": ("=", "int"), "linalg.qr": ("=", "="), "linalg.eigh": ("=", "="), "linalg.slogdet": ("=", "="), "linalg.eig": ("", ""),
    "lu_factor": ("=", "int"), "linalg.lu_factor": ("=", "int"),
}  # fmt: skip
_TRIPLES = {"svd": 3, "linalg.svd": 3, "linalg.lstsq": 4, "linalg.lu": 3, "lu": 3}
_LISTS = frozenset(
    """split chunk unbind tensor_split hsplit vsplit dsplit meshgrid broadcast_tensors split_with_sizes cartesian_prod_ atleast_1d_
    unsafe_chunk unsafe_split align_tensors where_""".split()
)
_KEEPS_RANK = frozenset(
    """abs relu sigmoid tanh exp log sqrt clamp clamp_min clamp_max detach clone contiguous float double half long int bool bfloat16 to type type_as
    cpu cuda neg masked_fill where softmax log_softmax dropout gelu silu floor ceil round sign isnan isinf isfinite logical_not
    zeros_like ones_like empty_like full_like rand_like randn_like randint_like cumsum cumprod sort argsort nan_to_num roll flip
    transpose permute swapaxes tril triu add sub mul div pow eq ne lt le gt ge logical_and logical_or logical_xor masked_fill_ copy_ add_
    sub_ mul_ div_ clamp_ fill_ zero_ requires_grad_ index_add index_add_ scatter scatter_ scatter_add scatter_add_ index_fill_
    bitwise_and bitwise_or minimum maximum square rsqrt erf detach_""".split()
)
_SAME_DTYPE = frozenset(
    """view reshape permute transpose contiguous clone detach squeeze unsqueeze expand expand_as flatten index_select gather cat stack concat
    cpu cuda flip roll repeat repeat_interleave tile t chunk split unbind narrow select masked_fill masked_select where clamp clamp_min
    clamp_max abs relu max min amax amin sort topk cumsum cumprod sum tril triu movedim swapaxes unfold view_as reshape_as take
    take_along_dim scatter scatter_add index_add index_fill masked_scatter neg sign square pad nan_to_num unique unique_consecutive
    diagonal diag zeros_like ones_like empty_like full_like new_zeros new_ones new_full new_empty pow round floor ceil unflatten
    maximum minimum add sub mul rot90 index_put vstack hstack bitwise_and bitwise_or bitwise_not requires_grad_ detach_ copy_ add_ mul_
    masked_fill_ scatter_ scatter_add_ index_add_ fill_ zero_ clamp_ adaptive_max_pool2d max_pool2d leaky_relu hstack dstack""".split()
)
_SIZES = frozenset("numel nelement dim ndimension storage_offset element_size get_device stride_ __len__".split())
_FLAGS = frozenset(
    """is_floating_point is_complex is_contiguous is_tensor is_grad_enabled is_autocast_enabled is_signed is_inference is_inference_mode_enabled
    are_deterministic_algorithms_enabled is_same_size is_pinned is_shared is_conj is_neg is_storage is_deterministic is_warn_always_enabled
    can_cast is_autocast_cpu_enabled has_names is_set_to is_coalesced is_anomaly_enabled""".split()
)
_DATA_BOOLS = frozenset({"equal", "allclose", "is_nonzero", "__bool__"})
_CREATORS = frozenset("zeros ones empty full eye rand randn".split())
_STATIC = frozenset(
    """get_default_dtype finfo iinfo device get_num_threads get_rng_state initial_seed seed promote_types result_type get_autocast_dtype
    get_autocast_gpu_dtype cuda.is_available cuda.device_count cuda.current_device cuda.get_device_capability version.cuda get_default_device
    backends.mps.is_available get_device_module cuda.is_bf16_supported get_autocast_cpu_dtype broadcast_shapes are_deterministic_algorithms_enabled
    distributed.get_world_size distributed.get_rank distributed.is_available distributed.is_initialized cuda.is_current_stream_capturing""".split()
)


_NAMESPACES = ("linalg.", "fft.", "special.", "_C._nn.", "nn.utils.rnn.pad_sequence", "sparse.", "ops.aten.", "nested.", "_VF.")
"""Parts of torch, other than its top level, whose functions give tensors."""


def call_torch(name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    """The result of ``torch.<name>(...)``."""
    if name.startswith("torch.nn.") and not name.startswith(("torch.nn.functional.", "torch.nn.init.", "torch.nn.utils.", "torch.nn.attention.")):
        last = name.rpartition(".")[2]
        if last[:1].isupper():
            return torch_modules.make_module(name, arguments, frame, node)
        return UNKNOWN
    short = name[6:]
    if short.startswith("nn.functional."):
        short = short[14:]
        if short == "scaled_dot_product_attention" and arguments.args and (query := tensor_in(arguments.args[0])) is not None:
            return Tensor(query.dtype, query.rank, query.why, query.likely)
    elif short.startswith("special."):
        short = short[8:]
    elif short.startswith("Tensor."):
        receiver = arguments.args[0] if arguments.args else UNKNOWN
        tensor = tensor_in(receiver)
        return tensor_result(short[7:], tensor or Tensor(), Arguments(arguments.args[1:], arguments.kwargs), frame, node)
    if short in _STATIC or short.startswith(("backends.", "version.")):
        return STATIC_ANY if short not in ("device", "get_default_dtype") else Scalar("torch.device" if short == "device" else "torch.dtype")
    if short in _FLAGS:
        return STATIC_BOOL
    if short in _DATA_BOOLS:
        return Scalar("bool", "data")
    if short == "Size":
        return arguments.args[0] if arguments.args else Sequence("size", [])
    if short.endswith((".is_available", ".is_initialized", ".is_built", ".is_enabled")):
        return STATIC_BOOL
    if short.startswith("autograd.grad"):
        why = Why("a gradient", frame.module.shown, getattr(node, "lineno", 0))
        return Sequence("tuple", None, Tensor("float", None, why))
    if short.startswith(("utils.", "distributed.", "cuda.", "profiler.", "jit.", "fx.", "export.", "library.", "compiler.", "_dynamo.", "hub.", "random.", "multiprocessing.", "optim.", "ao.", "onnx.", "_C.", "xpu.", "mps.", "futures.")):
        return _submodule(short, arguments)
    if short in ("no_grad", "enable_grad", "set_grad_enabled", "save", "manual_seed", "_check", "_assert", "_assert_async", "set_default_dtype", "set_num_threads"):
        return NONE
    if short == "Generator":
        return Instance(External(name), "made")
    if short in ("load", "Tag"):
        return UNKNOWN
    if short.startswith("distributions."):
        return Instance(External(name), tuple(v.key() for v in arguments.args))
    if short in ("cond",) and len(arguments.args) >= 3:
        return _cond(arguments, frame, node)
    if short in ("while_loop", "ops.higher_order.while_loop"):
        return arguments.args[2] if len(arguments.args) > 2 else UNKNOWN
    if "." in short and not short.startswith(_NAMESPACES):
        return UNKNOWN
    return _described(short, arguments, frame, node, name)


def _cond(arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
    operands = arguments.get(3, "operands")
    values = list(operands.elements) if isinstance(operands, Sequence) and operands.elements is not None else []
    return join_all([calls.call(branch, Arguments(values), frame, node) for branch in arguments.args[1:3]])


def _submodule(short: str, arguments: Arguments) -> Value:
    if short.endswith((".is_available", ".is_initialized", ".is_compiling")):
        return STATIC_BOOL
    if short.startswith("utils._pytree.") or short.startswith("utils.data."):
        return UNKNOWN
    return UNKNOWN


def _described(short: str, arguments: Arguments, frame: Frame, node: ast.AST, name: str) -> Value:
    given = _given(arguments)
    line = getattr(node, "lineno", 0)
    if short[:1].isupper() and short != "Tensor":
        if short.endswith("Tensor"):
            return Tensor({"Long": "int", "Int": "int", "Bool": "bool"}.get(short[:-6], "float"), 1, Why(f"made by {name}", frame.module.shown, line))
        return UNKNOWN
    if short.startswith("_") and given is None:
        return UNKNOWN
    base = given or Tensor(_creation_dtype(short, arguments), _creation_rank(short, arguments))
    why = base.why if given is not None and given.why is not None and not given.likely else Why(f"returned by {name}", frame.module.shown, line)
    base = Tensor(base.dtype, base.rank, why, False, layout=base.layout)
    rest = arguments
    positions = short not in ("where", "cat", "stack", "einsum", "concat", "hstack", "vstack", "tensor", "arange", "full", "zeros", "ones")
    if positions and arguments.args:
        rest = Arguments(arguments.args[1:], arguments.kwargs, arguments.rest, arguments.extra)
    elif short in ("where",) and len(arguments.args) == 3:
        left, right = (tensor_in(a) for a in arguments.args[1:])
        pick = left or right or base
        base = Tensor(left.dtype if left is not None and right is not None and left.dtype == right.dtype else pick.dtype if left is None or right is None else "", pick.rank, why)
    return tensor_result(short, base, rest, frame, node, function=True)


def _given(arguments: Arguments) -> Tensor | None:
    values = [*arguments.args, *arguments.kwargs.values()]
    for value in values[:2]:
        found = contains_tensor(value, 2)
        if found is not None:
            return found
    for value in values[2:]:
        found = tensor_in(value)
        if found is not None:
            return found
    return None


def _creation_dtype(short: str, arguments: Arguments) -> str:
    if short == "arange":
        kinds = {type_name(a) for a in arguments.args if isinstance(a, (Scalar, Const))}
        return "float" if "float" in kinds else "int" if kinds <= {"int"} and kinds else ""
    if short in ("tensor", "as_tensor", "scalar_tensor", "full"):
        value = arguments.get(1 if short == "full" else 0, "fill_value" if short == "full" else "data")
        if isinstance(value, Sequence):
            value = value.any()
            if isinstance(value, Sequence):
                value = value.any()
        return type_name(value) if isinstance(value, (Scalar, Const)) and type_name(value) in ("bool", "int", "float") else ""
    return "int" if short in _INT else "float" if short in _CREATORS else ""


def _creation_rank(short: str, arguments: Arguments) -> int | None:
    if short in ("tensor", "as_tensor", "scalar_tensor"):
        value = arguments.args[0] if arguments.args else UNKNOWN
        if isinstance(value, (Scalar, Const)):
            return 0
        if isinstance(value, Sequence) and isinstance(value.any(), (Scalar, Const)):
            return 1
        return None
    if short in ("arange", "linspace", "randperm", "logspace"):
        return 1
    if short == "eye":
        return 2
    if short in _CREATORS - {"eye"} or short == "randint":
        sizes = arguments.args if short != "full" else arguments.args[:1]
        if len(sizes) == 1 and isinstance(sizes[0], Sequence):
            return len(sizes[0].elements) if sizes[0].elements is not None else None
        if sizes and all(isinstance(s, (Scalar, Const)) for s in sizes) and arguments.rest is None:
            return len(sizes)
    return None


def tensor_result(short: str, base: Tensor, arguments: Arguments, frame: Frame, node: ast.AST, function: bool = False) -> Value:
    """The result of a tensor method, or of the function of that name, on ``base``; ``arguments`` are those behind it."""
    plain = short[:-1] if short.endswith("_") and not short.endswith("__") else short
    if short in _SIZES:
        return Const(base.rank) if short in ("dim", "ndimension") and base.rank is not None else Scalar("int", "shape")
    if short in ("size", "stride"):
        if arguments.args or "dim" in arguments.kwargs:
            return Scalar("int", "shape")
        return Sequence("size", [Scalar("int", "shape")] * base.rank) if base.rank is not None else Sequence("size", None, Scalar("int", "shape"))
    if short in _FLAGS:
        return STATIC_BOOL
    if short in _DATA_BOOLS:
        return Scalar("bool", "data")
    if short == "item":
        return Scalar(base.dtype, "data")
    if short == "tolist":
        element = Scalar(base.dtype, "data")
        return Sequence("list", None, element if base.rank in (1, None) else Sequence("list", None, element))
    if short in ("numpy", "__array__"):
        return Array(base.dtype)
    if short in ("data_ptr", "untyped_storage", "storage"):
        return STATIC_INT
    if short in ("type",) and not arguments.args and not arguments.kwargs:
        return STATIC_STR
    if short in ("backward", "register_hook", "retain_grad"):
        return NONE
    if short == "apply_" or short == "map_":
        return base
    dim_given = _names_dim(short, arguments)
    why = base.why
    if plain in _PAIRS and (plain not in ("max", "min", "median", "nanmedian") or dim_given):
        if plain in ("max", "min") and arguments.args and tensor_in(arguments.args[0]) is not None:
            return Tensor(base.dtype, base.rank, why, base.likely)
        rank = base.rank if plain in ("topk", "sort", "cummax", "cummin", "aminmax") else None
        if dim_given and plain in ("max", "min", "median", "mode", "kthvalue") and base.rank is not None:
            rank = base.rank if _keeps(arguments) else base.rank - 1
        kinds = [base.dtype if k == "=" else k for k in _PAIRS[plain]]
        return Sequence("namedtuple", [Tensor(k, rank, why, base.likely) for k in kinds])
    if plain in _TRIPLES:
        return Sequence("namedtuple", [Tensor(base.dtype, None, why, base.likely) for _ in range(_TRIPLES[plain])])
    if plain in _LISTS:
        if plain == "chunk" and arguments.args and isinstance(arguments.args[0], Const) and isinstance(arguments.args[0].value, int) and 0 < arguments.args[0].value < 9:
            return Sequence("tuple", [Tensor(base.dtype, base.rank, why, base.likely)] * arguments.args[0].value)
        rank = base.rank - 1 if plain == "unbind" and base.rank else base.rank
        return Sequence("tuple", None, Tensor(base.dtype, rank if plain != "meshgrid" else None, why, base.likely))
    if plain in ("unique", "unique_consecutive"):
        flags = [v for k, v in arguments.kwargs.items() if k in ("return_inverse", "return_counts")]
        if flags or len(arguments.args) > 1:
            parts = [Tensor(base.dtype, 1, why, base.likely)]
            for name in ("return_inverse", "return_counts"):
                flag = arguments.kwargs.get(name)
                if flag is not None and not (isinstance(flag, Const) and flag.value is False):
                    parts.append(Tensor("int", 1 if name == "return_counts" else None, why))
            return Sequence("tuple", list(parts)) if len(parts) > 1 else parts[0]
        return Tensor(base.dtype, 1, why, base.likely)
    if plain == "nonzero" or (plain == "where" and function and len(arguments.args) + len(arguments.kwargs) == 1 and "input" not in arguments.kwargs):
        if plain == "where" or "as_tuple" in arguments.kwargs:
            return Sequence("tuple", None, Tensor("int", 1, why, base.likely))
        return Tensor("int", 2, why, base.likely)
    declared_form = _from_table(plain, base)
    if declared_form is not None:
        return declared_form
    dtype = _result_dtype(plain, base, arguments)
    declared = externals.dtype_of(arguments.kwargs.get("dtype"))
    if plain in ("to", "type") and declared is None:
        for argument in arguments.args[:2]:
            if isinstance(argument, Scalar) and argument.type.startswith("torch.dtype"):
                declared = externals.dtype_of(argument)
            elif isinstance(argument, Tensor):
                declared = argument.dtype
    if plain == "tensor" and declared is None:
        declared = None
    return Tensor(declared if declared is not None else dtype, _result_rank(plain, base, arguments, dim_given), why, base.likely, layout=_layout(plain, base))


def _from_table(name: str, base: Tensor) -> Value | None:
    """The result of an operator whose schemas promise something other than one tensor."""
    form = tables.returns(name)
    if form == "Tensor[]":
        return Sequence("tuple", None, Tensor("", None, base.why, base.likely))
    if form.startswith("(Tensor") and "|" not in form and form.replace("Tensor", "").strip("(, )") == "":
        return Sequence("namedtuple", [Tensor("", None, base.why, base.likely) for _ in range(form.count("Tensor"))])
    if form in ("bool", "int"):
        return STATIC_BOOL if form == "bool" else STATIC_INT
    return None


def _layout(plain: str, base: Tensor) -> str:
    if plain.startswith("to_sparse") or plain.startswith("sparse_"):
        return "sparse"
    if plain == "to_dense":
        return "strided"
    return base.layout


def _names_dim(short: str, arguments: Arguments) -> bool:
    if "dim" in arguments.kwargs or "axis" in arguments.kwargs:
        value = arguments.kwargs.get("dim", arguments.kwargs.get("axis"))
        return not (isinstance(value, Const) and value.value is None)
    if short in ("norm",):
        return len(arguments.args) > 1
    return bool(arguments.args) and not (isinstance(arguments.args[0], Const) and arguments.args[0].value is None) and (
        isinstance(arguments.args[0], (Const, Scalar, Sequence)) or tensor_in(arguments.args[0]) is not None
    )


def _keeps(arguments: Arguments) -> bool:
    value = arguments.kwargs.get("keepdim", arguments.args[1] if len(arguments.args) > 1 else None)
    return isinstance(value, Const) and value.value is True


def _result_dtype(plain: str, base: Tensor, arguments: Arguments) -> str:
    if plain in _BOOL:
        return "bool"
    if plain in _INT:
        return "int"
    if plain in ("sum", "cumsum", "prod") and base.dtype == "bool":
        return "int"
    if plain in _FLOAT:
        return "float" if base.dtype != "complex" else "complex"
    if plain in ("arange", "tensor", "as_tensor", "scalar_tensor", "full") or plain in _CREATORS:
        return base.dtype
    if plain == "div":
        return "float" if "rounding_mode" not in arguments.kwargs else base.dtype
    if plain in ("add", "sub", "mul", "pow", "maximum", "minimum"):
        other = arguments.args[0] if arguments.args else UNKNOWN
        if isinstance(other, Tensor):
            return operators.promoted(base.dtype, other.dtype)
        return base.dtype if base.dtype == "float" else ""
    return base.dtype if plain in _SAME_DTYPE else ""


def _result_rank(plain: str, base: Tensor, arguments: Arguments, dim_given: bool) -> int | None:
    if plain in _REDUCTIONS:
        if not dim_given:
            reduction = arguments.kwargs.get("reduction")
            if plain in ("cross_entropy", "mse_loss", "l1_loss", "nll_loss"):
                return 0 if reduction is None else None
            return 0
        if base.rank is None:
            return None
        return base.rank if _keeps(arguments) else base.rank - 1
    if plain in _KEEPS_RANK or plain in ("arange", "tensor", "full", "linspace") or plain in _CREATORS:
        return base.rank
    if plain in ("unsqueeze",) and base.rank is not None:
        return base.rank + 1
    if plain == "stack" and base.rank is not None:
        return base.rank + 1
    if plain == "cat":
        return base.rank
    if plain in ("view", "reshape", "expand", "new_zeros", "new_ones", "new_empty"):
        parts = arguments.args
        if len(parts) == 1 and isinstance(parts[0], Sequence):
            return len(parts[0].elements) if parts[0].elements is not None else None
        if parts and arguments.rest is None and all(isinstance(p, (Const, Scalar)) for p in parts):
            return len(parts)
        return None
    if plain in ("flatten",) and not arguments.args and not arguments.kwargs:
        return 1
    if plain in ("bincount", "randperm"):
        return 1
    return None


from . import calls, externals, operators, torch_modules  # noqa: E402  (these call back into this module)

__all__ = ["NONE", "STATIC_STR", "call_torch", "tensor_result"]
