"""Parameters that nobody was seen to give: what their annotation, default and use say about them."""

from __future__ import annotations

import ast

from ..index.module import Module
from ..index.source import unparsed
from ..index.walk import walk
from .annotation import annotated
from .values import (
    NONE,
    STATIC_ANY,
    UNKNOWN,
    Const,
    Function,
    Scalar,
    Sequence,
    Tensor,
    Union,
    Value,
    Why,
    partly_unknown,
)

_TENSOR_METHODS = frozenset(
    """abs absolute add_ addmm all amax amin any argmax argmin argsort argwhere backward bernoulli bfloat16 bmm bool byte cat chunk clamp
    clamp_ clamp_min clamp_max clone contiguous copy_ cos cpu cuda cumsum cumprod data_ptr detach device diagonal diff dim div div_ double
    dtype einsum element_size eq exp expand expand_as fill_ flatten flip float floor gather ge grad gt half index_add index_add_ index_copy
    index_fill index_put_ index_select int is_contiguous is_cuda is_floating_point is_leaf isfinite isinf isnan item le log log1p log_softmax
    logsumexp long lt masked_fill masked_fill_ masked_scatter masked_select matmul max mean median min mm movedim mul mul_ multinomial mT
    narrow ndim ndimension ne neg new_empty new_full new_ones new_tensor new_zeros nonzero norm numel numpy permute pow prod quantile
    register_hook relu relu_ repeat_interleave requires_grad requires_grad_ reshape reshape_as resize_ rot90 round rsqrt scatter scatter_
    scatter_add scatter_add_ select shape sigmoid sign sin size softmax sort split sqrt square squeeze squeeze_ std stride sub sub_ sum
    swapaxes t t_ take tanh tensor_split tile to_dense to_sparse tolist topk transpose transpose_ tril triu type_as unbind unflatten unfold
    unique unsqueeze unsqueeze_ var view view_as where zero_ zeros_like T""".split()
)
"""Attributes that only a tensor (or an array) has."""
_WEAK = frozenset({"shape", "size", "dtype", "device", "ndim", "T", "all", "any", "sum", "mean", "max", "min", "int", "float", "round"})
_OTHER_METHODS = frozenset(
    """append extend items keys values get pop update startswith endswith split lower upper format join strip encode read write
    forward parameters named_parameters state_dict eval train modules children""".split()
)
_TENSOR_ARGUMENTS = ("torch.", "F.", "nn.functional.", "functional.", "th.")
_NOT_TENSOR_FUNCTIONS = {
    "torch.device", "torch.arange", "torch.zeros", "torch.ones", "torch.full", "torch.empty", "torch.randn", "torch.rand", "torch.randint",
    "torch.eye", "torch.linspace", "torch.tensor", "torch.as_tensor", "torch.manual_seed", "torch.load", "torch.save", "torch.from_numpy",
    "torch.is_tensor", "torch.compile", "torch.stack", "torch.cat", "torch.no_grad", "torch.finfo", "torch.randperm", "torch.hstack",
    "torch.vstack", "torch.concat", "torch.is_floating_point", "torch.Size", "torch.autocast", "torch.set_grad_enabled", "torch.Generator",
    "torch.Tensor", "torch.FloatTensor", "torch.LongTensor", "torch.block_diag", "torch.cond", "torch.while_loop", "torch.scalar_tensor",
    "torch.nn.Parameter",
}  # fmt: skip


_PLAIN = frozenset({ast.Name, ast.Constant, ast.keyword, ast.Expr, ast.Return, ast.arguments, ast.arg, ast.Tuple, ast.If, ast.BoolOp, ast.JoinedStr})
"""Syntax that says nothing about a parameter by itself."""


class Uses:
    """How a function's body uses each of its parameters."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, whole: bool = True) -> None:
        self.tensor: set[str] = set()
        self.mask: set[str] = set()
        self.converted: set[str] = set()
        """Given to int, float or bool: among what a captured function is called with, most likely a tensor."""
        self.other: set[str] = set()
        self.arithmetic: set[str] = set()
        self.text: set[str] = set()
        self.aliases: dict[str, list[ast.expr]] = {}
        body = ([node.body] if isinstance(node, ast.Lambda) else node.body) if whole else []
        for statement in body:
            for item in walk(statement):
                self._see(item)
        self._follow_aliases()

    def _follow_aliases(self) -> None:
        """What a local that is used like a tensor was made from is one too."""
        for _ in range(3):
            before = len(self.tensor)
            for name in list(self.tensor):
                for source in self.aliases.get(name, ()):
                    self._mark(source)
            if len(self.tensor) == before:
                return

    def _see(self, node: ast.AST) -> None:
        if node.__class__ in _PLAIN:
            return
        if isinstance(node, ast.Attribute):
            if node.attr in _TENSOR_METHODS:
                self._mark(node.value, weak=node.attr in _WEAK)
            elif node.attr in _OTHER_METHODS and isinstance(node.value, ast.Name):
                self.other.add(node.value.id)
            if node.attr == "masked_fill" or node.attr == "masked_fill_":
                pass
        elif isinstance(node, ast.Call):
            self._see_call(node)
        elif isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.MatMult):
                self._mark(node.left)
                self._mark(node.right)
            elif not isinstance(node.op, ast.Mod):
                for side in (node.left, node.right):
                    if isinstance(side, ast.Name):
                        self.arithmetic.add(side.id)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert) and isinstance(node.operand, ast.Name):
            self.tensor.add(node.operand.id)
            self.mask.add(node.operand.id)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name):
            self.arithmetic.add(node.operand.id)
        elif isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                if isinstance(side, ast.Constant) and isinstance(side.value, float) and isinstance(node.left, ast.Name):
                    self.arithmetic.add(node.left.id)
                if isinstance(side, ast.Constant) and isinstance(side.value, str):
                    self.text.update(s.id for s in (node.left, *node.comparators) if isinstance(s, ast.Name))
        elif isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name):
                if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                    self.other.add(node.value.id)
                elif isinstance(node.slice, ast.Tuple) and any(isinstance(p, ast.Slice) or _is_special(p) for p in node.slice.elts):
                    self.tensor.add(node.value.id)
                elif isinstance(node.slice, ast.Compare):
                    self.tensor.add(node.value.id)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.aliases.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name):
            self.aliases.setdefault(node.target.id, []).append(node.iter)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Name):
            self.aliases.setdefault(node.target.id, []).append(node.iter)
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range":
            self.other.update(a.id for a in node.iter.args if isinstance(a, ast.Name))

    def _mark(self, node: ast.expr, weak: bool = False) -> None:
        """An expression is used as a tensor; what makes it one is a tensor too."""
        if isinstance(node, ast.Name):
            self.tensor.add(node.id)
        elif isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.Invert):
                self._mark(node.operand)
        elif isinstance(node, (ast.BinOp, ast.Compare)):
            sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
            names = [s for s in sides if isinstance(s, ast.Name)]
            if len(names) == 1 and all(isinstance(s, (ast.Name, ast.Constant)) for s in sides):
                self._mark(names[0])
            elif names:
                self._mark(names[0])
        elif isinstance(node, ast.Subscript) and not weak:
            self._mark(node.value)
        elif isinstance(node, ast.Call) and _dotted(node.func) in ("copy.deepcopy", "copy.copy", "deepcopy") and node.args:
            self._mark(node.args[0])

    def _see_call(self, node: ast.Call) -> None:
        name = _dotted(node.func)
        if name.startswith(_TENSOR_ARGUMENTS) and not name.startswith(("torch.nn.init", "torch.distributed", "torch.utils", "torch.cuda")):
            full = "torch." + name[3:] if name.startswith("th.") else name
            if full not in _NOT_TENSOR_FUNCTIONS and node.args and isinstance(node.args[0], ast.Name):
                self.tensor.add(node.args[0].id)
                if full == "torch.where" and len(node.args) == 3:
                    self.mask.add(node.args[0].id)
        if name.endswith((".masked_fill", ".masked_fill_", ".masked_select")) and node.args and isinstance(node.args[0], ast.Name):
            self.tensor.add(node.args[0].id)
            self.mask.add(node.args[0].id)
        elif name.startswith("self.") and name.count(".") == 1 and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            self.arithmetic.add(node.args[0].id)
        if isinstance(node.func, ast.Name) and node.func.id in ("int", "float", "bool") and len(node.args) == 1:
            converted = node.args[0]
            plain = converted.value if isinstance(converted, ast.Subscript) and isinstance(converted.slice, ast.Constant) else converted
            if isinstance(plain, ast.Name):
                self.converted.add(plain.id)
            else:
                self._mark(plain)
        elif isinstance(node.func, ast.Name) and node.func.id in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.Compare):
            self._mark(node.args[0])
        if isinstance(node.func, ast.Name) and node.func.id not in ("isinstance", "len"):
            if node.func.id == "range":
                self.other.update(a.id for a in node.args if isinstance(a, ast.Name))
            self.other.add(node.func.id)


_USES: dict[ast.AST, Uses] = {}


def uses_of(function: Function) -> Uses:
    """How a function uses its parameters; its body is walked only if a parameter's annotation leaves something open."""
    node = function.node
    known = _USES.get(node)
    if known is None:
        spec = node.args
        parameters = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        open_question = any(p.arg not in ("self", "cls") and _declared(p, function.module) is None for p in parameters)
        known = _USES[node] = Uses(node, whole=open_question or _may_hold_mask(function))
    return known


def _may_hold_mask(function: Function) -> bool:
    """Whether the text of a function holds anything that tells a mask from another tensor."""
    node = function.node
    text = function.module.excerpt(node.lineno, node.end_lineno or node.lineno)
    return "~" in text or "masked_" in text or "where(" in text


def _is_special(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value is Ellipsis)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value)
        return f"{base}.{node.attr}" if base else "." + node.attr
    return ""


def entry_arguments(function: Function, skip_first: bool, is_forward: bool) -> dict[str, Value]:
    """The parameters of a captured function, as its callers may give them.

    Args:
        function: the entry.
        skip_first: whether the first parameter is the receiver.
        is_forward: whether it is a module's ``forward``, of which the first input is taken for a tensor.
    """
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults: dict[str, ast.expr] = dict(zip([p.arg for p in positional[len(positional) - len(spec.defaults) :]], spec.defaults))
    defaults.update({p.arg: d for p, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None})
    uses = uses_of(function)
    bound: dict[str, Value] = {}
    first = True
    for parameter in [*positional[1 if skip_first else 0 :], *spec.kwonlyargs]:
        bound[parameter.arg] = _parameter(parameter, defaults.get(parameter.arg), function.module, uses, first)
        first = False
    if spec.vararg is not None:
        bound[spec.vararg.arg] = Sequence("tuple", None, _declared(spec.vararg, function.module) or UNKNOWN)
    if spec.kwarg is not None:
        from .values import Mapping

        bound[spec.kwarg.arg] = Mapping(None, UNKNOWN)
    return bound


def _declared(parameter: ast.arg, module: Module) -> Value | None:
    if parameter.annotation is None:
        return None
    why = Why(f"parameter `{parameter.arg}` is annotated `{unparsed(parameter.annotation)}`", module.shown, parameter.lineno)
    value = annotated(parameter.annotation, module, why)
    return None if value is UNKNOWN else value


def _parameter(parameter: ast.arg, default: ast.expr | None, module: Module, uses: Uses, first: bool) -> Value:
    name = parameter.arg
    declared = _declared(parameter, module)
    if declared is not None:
        value = _nominal(declared)
        mask = name in uses.mask
        if isinstance(value, Tensor) and mask and not value.dtype:
            value = value.replace(dtype="bool")
        if isinstance(default, ast.Constant) and default.value is None and value is not NONE:
            from .values import join

            return join(value, NONE)
        return value
    if parameter.annotation is not None and default is None:
        return UNKNOWN
    guess = _guess(name, uses, first and default is None, module, parameter, entry=True)
    if default is None:
        return guess
    if isinstance(default, ast.Constant):
        if default.value is None:
            return Union((NONE, guess)) if isinstance(guess, Tensor) else UNKNOWN
        kind = type(default.value).__name__
        return Scalar(kind if kind in ("bool", "int", "float", "str") else "", default=Const(default.value))
    if isinstance(default, (ast.UnaryOp, ast.BinOp, ast.Attribute)):
        return STATIC_ANY
    return UNKNOWN


def _nominal(value: Value) -> Value:
    if isinstance(value, Tensor):
        return value.replace(nominal=True)
    if isinstance(value, Union):
        return Union(tuple(_nominal(m) for m in value.members))
    return value


def _guess(name: str, uses: Uses, first: bool, module: Module, parameter: ast.arg, entry: bool = False) -> Value:
    if name in uses.other or name in uses.text:
        return UNKNOWN
    dtype = "bool" if name in uses.mask else ""
    if name in uses.tensor:
        return Tensor(dtype, None, Why(f"parameter `{name}` is used like a tensor", module.shown, parameter.lineno), True, True)
    if entry and name in uses.converted:
        return Tensor(dtype, None, Why(f"parameter `{name}` is converted to a Python number", module.shown, parameter.lineno), True, True)
    if first and name in uses.arithmetic:
        return Tensor(dtype, None, Why(f"first input `{name}` is taken for a tensor", module.shown, parameter.lineno), True, True)
    return UNKNOWN


_REFINED: dict[ast.AST, dict[str, Value]] = {}


def refine_unknown(function: Function, bound: dict[str, Value]) -> None:
    """Give parameters of which the argument is not known what their annotation, or their use, says of them."""
    node = function.node
    known = _REFINED.get(node)
    if known is None:
        known = _REFINED[node] = {}
        spec = node.args
        uses: Uses | None = None
        for parameter in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]:
            declared = _declared(parameter, function.module)
            if declared is None and parameter.annotation is None and parameter.arg not in ("self", "cls"):
                uses = uses or uses_of(function)
                guess = _guess(parameter.arg, uses, False, function.module, parameter)
                declared = guess if isinstance(guess, Tensor) else None
            if declared is not None:
                known[parameter.arg] = declared
    if function.owner is not None and bound.get("self") is UNKNOWN:
        bound["self"] = function.module.project.engine.annotated_instance(function.owner)
    for name, value in bound.items():
        if partly_unknown(value) and name in known:
            better = known[name]
            if value is UNKNOWN or not (isinstance(better, Tensor) and better.likely):
                bound[name] = better


def constructor_arguments(node: ast.FunctionDef, module: Module) -> dict[str, Value]:
    """The arguments of a constructor that nobody was seen to call: their types, not their values."""
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults: dict[str, ast.expr] = dict(zip([p.arg for p in positional[len(positional) - len(spec.defaults) :]], spec.defaults))
    defaults.update({p.arg: d for p, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None})
    result: dict[str, Value] = {}
    for parameter in [*positional[1:], *spec.kwonlyargs]:
        declared = _declared(parameter, module)
        default = defaults.get(parameter.arg)
        value: Value = declared if declared is not None else UNKNOWN
        if isinstance(default, ast.Constant):
            if default.value is None:
                from .values import join

                value = join(declared, NONE) if declared is not None else UNKNOWN
            elif declared is None:
                value = Scalar(type(default.value).__name__, default=Const(default.value))
        result[parameter.arg] = value
    return result
