"""What Dynamo does with a call: it traces it, or names the graph break that the call causes."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Sequence
from typing import Any

_IDENTIFIER = re.compile(r"/gb/(gb\d+)")


def graph_break(expression: str, tensors: Sequence[Any], namespace: dict[str, Any], clone: bool = True) -> str | None:
    """The id of the graph break that evaluating an expression causes under default settings.

    Arguments:
        expression: Python text over the tensors, which are called ``a0``, ``a1`` ...
        tensors: the inputs of the captured function.
        namespace: the globals of the expression.
        clone: whether the expression gets copies made under capture instead of the inputs.

    Returns:
        ``"GB0036"`` and the like; "" when the expression is traced; None when Dynamo fails on it in another way.
    """
    import torch

    names = [f"a{index}" for index in range(len(tensors))]
    copies = "".join(f"    {name} = {name}.clone()\n" for name in names) if clone else ""
    source = f"def probe({', '.join([*names, '_last'])}):\n{copies}    _result = {expression}\n    return _last + 1\n"
    scope = dict(namespace)
    exec(compile(source, "<probe>", "exec"), scope)
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), torch._dynamo.error_on_graph_break(True):
            warnings.simplefilter("ignore")
            torch.compile(scope["probe"], backend="eager")(*[t.clone() if isinstance(t, torch.Tensor) else t for t in tensors], torch.ones(3))
        return ""
    except torch._dynamo.exc.Unsupported as error:
        found = _IDENTIFIER.search(str(error))
        return found[1].upper() if found else None
    except Exception:
        return None
    finally:
        logging.disable(logging.NOTSET)
