"""Positions of a mask that are only stored to: the mask itself does that."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..finding import Declined, Fix, ReplaceExpression, Safety
from ..flow.events import Event
from ..flow.values import Tensor
from .context import FixContext
from .elementwise import number_of
from .local_name import loads_of
from .naming import dotted, is_free
from .unproven import Unproven

if TYPE_CHECKING:
    import libcst as cst

_FLAT = {"flatten": ((),), "reshape": ((-1,),), "squeeze": ((), (1,), (-1,)), "view": ((-1,),)}
"""Methods that make one axis of the two of ``nonzero``, by the arguments with which they do, when the mask has one axis."""

_NEW = {"isfinite", "isinf", "isnan", "logical_and", "logical_not", "logical_or"}
"""Calls that give a mask which nothing else can change."""
_CONSTANTS = {f"{module}.{name}" for module in ("math", "numpy", "torch") for name in ("inf", "nan", "pi")}


def mask_store_fix(event: Event, context: FixContext) -> Fix | Declined:
    """Store through the mask, or say what is not proven."""
    call = event.at
    try:
        if not isinstance(call, ast.Call):
            raise Unproven("the shape of the result depends on the data")
        return _fix(call, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(call: ast.Call, context: FixContext) -> Fix:
    mask, as_tuple = _mask(call, context)
    positions, needs_one_axis = _positions(call, as_tuple, context)
    text = ast.unparse(mask)
    value = context.value(mask)
    if not isinstance(value, Tensor) or value.dtype != "bool":
        raise Unproven(f"`{text}` is not proven to be a bool tensor")
    if value.rank != 1 and (needs_one_axis or value.rank == 0):
        raise Unproven(f"`{text}` is not proven to have one axis")
    parent = context.parent(positions)
    if isinstance(parent, ast.Assign) and parent.value is positions and isinstance(parent.targets[0], ast.Name) and len(parent.targets) == 1:
        made = isinstance(mask, ast.Call) and isinstance(mask.func, ast.Attribute) and mask.func.attr in _NEW
        if not made and not isinstance(mask, (ast.Compare, ast.BinOp, ast.UnaryOp)):
            raise Unproven(f"`{text}` may change between the choice of the positions and the store")
        uses: list[ast.expr] = loads_of(parent.targets[0].id, context)
    else:
        uses = [positions]
    for use in uses:
        _stores_one_number(use, context)

    def build(old: cst.BaseExpression) -> cst.BaseExpression:
        import libcst as cst

        found = old
        while True:
            if isinstance(found, cst.Subscript):
                found = found.value
            elif isinstance(found, cst.Call) and isinstance(found.func, cst.Attribute) and found.func.attr.value in _FLAT:
                found = found.func.value
            else:
                break
        call_node = cst.ensure_type(found, cst.Call)
        chosen = call_node.args[0].value if of_torch else cst.ensure_type(call_node.func, cst.Attribute).value
        return chosen.with_changes(lpar=(), rpar=())

    of_torch = mask in call.args
    condition = f"`{text}` has the shape of the axes that it is stored along"
    return Fix(Safety.VERIFY, "store through the mask", (ReplaceExpression(context.span(positions), build),), condition)


def _mask(call: ast.Call, context: FixContext) -> tuple[ast.expr, bool]:
    """The mask of ``where`` or ``nonzero``, and whether the call gives a tuple of positions by axis."""
    if isinstance(call.func, ast.Attribute):
        owner, name = call.func.value, call.func.attr
        of_torch = isinstance(owner, ast.Name) and context.module_names.get(owner.id) == "torch"
        operands = call.args if of_torch else [owner, *call.args]
        as_tuple = [k.value.value for k in call.keywords if k.arg == "as_tuple" and isinstance(k.value, ast.Constant)]
        if len(operands) == 1 and not isinstance(operands[0], ast.Starred):
            if name == "where" and of_torch and not call.keywords:
                return operands[0], True
            if name == "nonzero" and len(as_tuple) == len(call.keywords):
                return operands[0], as_tuple == [True]
    raise Unproven("the shape of the result depends on the data")


def _positions(call: ast.Call, as_tuple: bool, context: FixContext) -> tuple[ast.expr, bool]:
    """The expression around the call that an index can be, and whether it is one only for a mask of one axis."""
    outer = context.parent(call)
    if as_tuple:
        first = isinstance(outer, ast.Subscript) and outer.value is call and isinstance(outer.slice, ast.Constant) and outer.slice.value == 0
        return (outer, True) if first and isinstance(outer, ast.Subscript) else (call, False)
    method = context.parent(outer) if isinstance(outer, ast.Attribute) else None
    if isinstance(outer, ast.Attribute) and isinstance(method, ast.Call) and method.func is outer and not method.keywords:
        if tuple(number_of(argument, context) for argument in method.args) in _FLAT.get(outer.attr, ()):
            return method, True
    raise Unproven("the positions are more than an index")


def _stores_one_number(use: ast.expr, context: FixContext) -> None:
    """Make sure that a use of the positions is ``tensor[positions] = number``.

    Raises:
        Unproven: it is something else.
    """
    store = context.parent(use)
    assign = context.parent(store) if store is not None else None
    if not isinstance(store, ast.Subscript) or store.slice is not use or not isinstance(assign, ast.Assign) or assign.targets != [store]:
        raise Unproven("the positions are not only stored to")
    if not isinstance(context.value(store.value), Tensor):
        raise Unproven(f"`{ast.unparse(store.value)}` is not known to be a tensor")
    if not _is_constant(assign.value, context):
        raise Unproven("what is stored is not one constant")


def _is_constant(node: ast.expr, context: FixContext) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _is_constant(node.operand, context)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float" and is_free("float", context):
        return len(node.args) == 1 and isinstance(node.args[0], ast.Constant)
    constant = isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float))
    return constant or number_of(node, context) is not None or dotted(node, context) in _CONSTANTS
