"""An attribute that holds a variable is assigned to, not replaced; one that holds a tensor becomes a variable."""

from __future__ import annotations

import ast

from ...finding import Declined, Edit, Fix, Safety
from ...flow.events import Change
from ...flow.tensorflow.values import TFTensor
from ...index.walk import walk
from ..context import FixContext
from ..unproven import Unproven
from .writing import expression, source, statements, tensorflow_name


def assign_fix(event: Change, context: FixContext) -> Fix | Declined:
    """``self.w = self.w + x`` becomes ``self.w.assign_add(x)``; a state that begins as a tensor or number becomes a ``tf.Variable`` there."""
    try:
        return _fix(event, context)
    except Unproven as unproven:
        return Declined(str(unproven))


def _fix(event: Change, context: FixContext) -> Fix:
    target = event.at
    statement = context.parent(target)
    if event.what != "attribute" or not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        raise Unproven("it is no attribute that is assigned to")
    if not isinstance(statement, (ast.Assign, ast.AugAssign)) or (isinstance(statement, ast.Assign) and len(statement.targets) != 1):
        raise Unproven("it is not assigned to by a statement of its own")
    begin = _begin(event.frame.module.tree, target)
    if isinstance(begin.value, ast.Call) and ast.unparse(begin.value.func).rpartition(".")[2] in ("Variable", "add_weight"):
        edits: list[Edit] = [_assignment(statement, context)]
        condition = "the new value has the shape and dtype of the variable, and whoever reads the attribute takes a variable for the tensor"
        return Fix(Safety.VERIFY, "assign to the variable", tuple(edits), condition, ())
    return _new_variable(event, target, begin, context)


def _assignment(statement: ast.Assign | ast.AugAssign, context: FixContext) -> Edit:
    """The statement, as a call of a method of the variable."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    shown, method, value = source(target, context), "assign", statement.value
    if isinstance(statement, ast.AugAssign):
        method = _method(statement.op)
    elif isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)) and ast.unparse(value.left) == ast.unparse(target):
        method, value = _method(value.op), value.right
    return statements(statement, statement, [f"{shown}.{method}({source(value, context)})"], context)


def _method(operator: ast.operator) -> str:
    if isinstance(operator, ast.Add):
        return "assign_add"
    if isinstance(operator, ast.Sub):
        return "assign_sub"
    raise Unproven("a variable has no method for this operator")


def _new_variable(event: Change, target: ast.Attribute, begin: ast.Assign, context: FixContext) -> Fix:
    """The place where the state begins makes a variable, and all its assignments in the function assign to it."""
    module = event.frame.module.tree
    assert isinstance(target.value, ast.Name)
    stores: list[ast.Attribute] = []
    reads: list[ast.Attribute] = []
    for node in walk(module):
        if isinstance(node, ast.Attribute) and node.attr == target.attr:
            (reads if isinstance(node.ctx, ast.Load) else stores).append(node)
    inside = {id(n) for n in walk(context.function)}
    if any(id(s) not in inside and s is not getattr(begin, "targets", [None])[0] for s in stores):
        raise Unproven(f"`{target.attr}` is assigned to elsewhere too")
    value = event.value
    number = isinstance(begin.value, ast.Constant)
    if isinstance(begin.value, ast.Constant) and type(begin.value.value) not in (int, float):
        raise Unproven(f"`{target.attr}` does not begin as a number or a tensor")
    if number and not _counts_only(reads, inside, context):
        raise Unproven(f"`{target.attr}` is used as a Python number in the function")
    if not number and not (isinstance(value, TFTensor) and value.kind == "tensor" and isinstance(begin.value, ast.Call)):
        raise Unproven(f"`{target.attr}` is not known to begin as a tensor")
    if any(isinstance(context.parent(r), (ast.Return, ast.Tuple, ast.List)) for r in reads if id(r) in inside):
        raise Unproven(f"`{target.attr}` itself is returned, which would be the variable")
    tf, imports = tensorflow_name(context)
    edits: list[Edit] = [expression(begin.value, f"{tf}.Variable({source(begin.value, context)}, trainable=False)", context)]
    for store in stores:
        if id(store) in inside:
            statement = context.parent(store)
            if not isinstance(statement, (ast.Assign, ast.AugAssign)):
                raise Unproven(f"`{target.attr}` is not assigned to by a statement of its own")
            edits.append(_assignment(statement, context))
    condition = "each new value has the shape and dtype of the first, and whoever reads the attribute from outside takes a variable for it"
    return Fix(Safety.VERIFY, f"keep the state in a {tf}.Variable", tuple(edits), condition, imports)


def _begin(module: ast.Module, target: ast.Attribute) -> ast.Assign:
    """The one assignment, in ``__init__`` or in the class, with which an attribute begins."""
    assert isinstance(target.value, ast.Name)
    found: list[ast.Assign] = []
    for owner in (n for n in module.body if isinstance(n, ast.ClassDef)):
        for member in owner.body:
            if isinstance(member, ast.Assign) and owner.name == target.value.id and [ast.unparse(t) for t in member.targets] == [target.attr]:
                found.append(member)
            if isinstance(member, ast.FunctionDef) and member.name == "__init__" and target.value.id == "self":
                found += [s for s in member.body if isinstance(s, ast.Assign) and [ast.unparse(t) for t in s.targets] == [f"self.{target.attr}"]]
    if len(found) != 1:
        raise Unproven(f"`{target.attr}` does not begin once, in the class or its constructor")
    return found[0]


def _counts_only(reads: list[ast.Attribute], inside: set[int], context: FixContext) -> bool:
    """Whether the function reads a number only to assign it plus or minus a constant."""
    for read in reads:
        if id(read) in inside:
            outer = context.parent(read)
            if not (isinstance(outer, ast.BinOp) and isinstance(outer.op, (ast.Add, ast.Sub)) and isinstance(outer.right, ast.Constant) and isinstance(context.parent(outer), ast.Assign)):
                return False
    return True
