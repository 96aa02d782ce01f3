"""Gradients of inputs and parameters.

What is differentiated is a weighted sum of the floating outputs. Plain sums would hide errors: a softmax sums to one whatever its input.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from .leaves import leaves_of
from .loading import Input
from .modules import modules_of
from .printed import printed
from .randomness import seed_everything


def gradients_of(run: Any, function: Any, given: Input, seed: int) -> dict[str, Any]:
    """The gradients by name, or under ``raised`` what kept them from being computed."""
    flat, structure = tree_flatten(given)
    wanted: dict[str, torch.Tensor] = {}
    for position, leaf in enumerate(flat):
        if isinstance(leaf, torch.Tensor) and (leaf.is_floating_point() or leaf.is_complex()):
            source = leaf.detach().requires_grad_()
            wanted[f"input {position + 1}"] = source
            # A copy, so that the function may change its argument in place, which a leaf of the gradient graph forbids.
            flat[position] = source.clone()
    args, kwargs = tree_unflatten(flat, structure)
    for module in modules_of(function, (args, kwargs)):
        module.zero_grad(set_to_none=True)
        wanted.update({name: value for name, value in module.named_parameters() if value.requires_grad})
    if not wanted:
        return {"leaves": {}, "raised": None}
    seed_everything(seed)
    try:
        with printed():
            total = _weighted_sum(run(*args, **kwargs))
            found = torch.autograd.grad(total, list(wanted.values()), allow_unused=True) if total is not None else [None] * len(wanted)
    except Exception as error:
        return {"leaves": {}, "raised": f"{type(error).__qualname__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"}
    leaves: dict[str, Any] = {}
    for name, gradient in zip(wanted, found, strict=True):
        leaves.update(leaves_of(gradient, name))
    return {"leaves": leaves, "raised": None}


def _weighted_sum(output: Any) -> torch.Tensor | None:
    total: torch.Tensor | None = None
    for leaf in tree_flatten(output)[0]:
        if not isinstance(leaf, torch.Tensor) or not leaf.requires_grad:
            continue
        real = torch.view_as_real(leaf) if leaf.is_complex() else leaf
        weights = 1 + 0.5 * torch.cos(torch.arange(real.numel(), device=real.device, dtype=torch.float64))
        term = (real.flatten() * weights.to(real.dtype)).sum().double()
        total = term if total is None else total + term
    return total
