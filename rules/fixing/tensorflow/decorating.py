"""``@tf.function`` on a function that Keras calls as it is, which brings AutoGraph's conversion back."""

from __future__ import annotations

import ast

from ...finding import Declined, Fix, Safety
from ...flow.events import Unconverted
from ..context import FixContext
from ..unproven import Unproven
from .writing import lines_of, statements, tensorflow_name


def decorate_fix(event: Unconverted, context: FixContext) -> Fix | Declined:
    """Decorate the flagged function."""
    function = context.function
    if not isinstance(function, ast.FunctionDef):
        return Declined("a lambda cannot be decorated")
    if function.decorator_list:
        return Declined("the function has decorators already")
    if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "super" for n in ast.walk(function)):
        return Declined("`super()` without arguments is not followed into a graph")
    arguments = function.args
    if any(isinstance(d, ast.Constant) and isinstance(d.value, (int, float, str)) and not isinstance(d.value, bool) for d in [*arguments.defaults, *arguments.kw_defaults]):
        return Declined("a Python number among its arguments would make it trace anew for each value")
    try:
        tf, imports = tensorflow_name(context)
        lines = lines_of(function, context)
    except Unproven as unproven:
        return Declined(str(unproven))
    edit = statements(function, function, [f"@{tf}.function", *lines], context)
    condition = "the function changes no Python state, and is called with tensors and few Python values"
    return Fix(Safety.VERIFY, f"decorate `{function.name}` with {tf}.function", (edit,), condition, imports)
