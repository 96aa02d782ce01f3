"""How a captured function's body uses its parameters: which it treats as tensors, and which as something else."""

from __future__ import annotations

import ast

from ...index.source import unparsed
from ...index.walk import walk
from ..values import Function

_TENSOR_CALLS = ("tf.", "tensorflow.", "K.", "tfp.")
_TAKES_NO_TENSOR = (
    "tf.constant", "tf.zeros", "tf.ones", "tf.function", "tf.TensorSpec", "tf.random", "tf.io", "tf.data", "tf.name_scope", "tf.eye", "tf.fill",
    "tf.range", "tf.stack", "tf.concat", "tf.add_n", "tf.Variable", "tf.convert_to_tensor", "tf.nest", "tf.keras", "tf.TensorShape", "tf.as_dtype",
    "tf.is_tensor", "tf.get_static_value", "tf.compat", "tf.print", "tf.debugging", "tf.device", "tf.rank", "tf.TensorArray", "tf.linspace", "tf.dtypes",
)  # fmt: skip
_TENSOR_MEMBERS = {"numpy", "get_shape", "set_shape", "shape", "dtype", "ndim", "device"}
_NOT_TENSORS = {
    "axis", "axes", "name", "mode", "dtype", "seed", "training", "rank", "size", "shape", "dim", "dims", "ndim", "num", "n", "verbose", "callback", "fn", "func",
    "function", "optimizer", "model", "config", "cfg", "args", "kwargs", "key", "path", "method", "order", "layer", "layers", "loss", "metrics", "strategy", "scope",
    "n_iter_max", "n_iter", "tol", "eps", "epsilon", "batch_size", "iterator", "dataset", "kernel", "params", "features", "data", "units", "padding", "strides",
    "random_state", "return_errors", "cls", "context", "mask_fn", "init", "svd", "norm", "ord", "modes", "skip", "inputs_shape", "input_shape", "rng",
}  # fmt: skip
"""Names of parameters that are seldom given a tensor."""


class Uses:
    """What a body does with each of its parameters.

    Attributes:
        tensor: names that are handed to TensorFlow's functions, where only a tensor makes sense.
        other: names that are used as no tensor can be: called, unpacked, searched by a string, asked for other attributes.
    """

    def __init__(self, function: Function) -> None:
        self.tensor: set[str] = set()
        self.other: set[str] = set()
        self.seen: set[str] = set()
        node = function.node
        for statement in [node.body] if isinstance(node, ast.Lambda) else node.body:
            for item in walk(statement):
                self._see(item)
        self.tensor -= self.other

    def may_be_tensor(self, name: str) -> bool:
        """Whether a parameter that nothing is known of is most likely a tensor, as the inputs of captured functions are."""
        return name in self.seen and name not in self.other and name not in _NOT_TENSORS and not name.startswith(("n_", "num_", "is_", "use_", "return_", "max_", "min_"))

    def _see(self, item: ast.AST) -> None:
        if isinstance(item, ast.Call):
            self._call(item)
        elif isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name):
            (self.tensor if item.attr in ("numpy", "get_shape", "set_shape") else self.other if item.attr not in _TENSOR_MEMBERS else self.seen).add(item.value.id)
        elif isinstance(item, ast.BinOp):
            names = [side.id for side in (item.left, item.right) if isinstance(side, ast.Name)]
            (self.tensor if isinstance(item.op, ast.MatMult) else self.seen).update(names)
        elif isinstance(item, ast.Compare):
            for side in (item.left, *item.comparators):
                if isinstance(side, ast.Name):
                    plain = any(isinstance(o, ast.Constant) and isinstance(o.value, (str, bool)) for o in (item.left, *item.comparators))
                    (self.other if plain else self.seen).add(side.id)
        elif isinstance(item, ast.Subscript) and isinstance(item.value, ast.Name):
            (self.other if isinstance(item.slice, ast.Constant) and isinstance(item.slice.value, str) else self.seen).add(item.value.id)
        elif isinstance(item, (ast.For, ast.comprehension)):
            if isinstance(item.iter, ast.Name):
                self.other.add(item.iter.id)
        elif isinstance(item, ast.Assign):
            if isinstance(item.value, ast.Name) and any(isinstance(t, (ast.Tuple, ast.List)) for t in item.targets):
                self.other.add(item.value.id)
        elif isinstance(item, (ast.If, ast.IfExp, ast.While)) and isinstance(item.test, ast.Name):
            self.other.add(item.test.id)
        elif isinstance(item, ast.Starred) and isinstance(item.value, ast.Name):
            self.other.add(item.value.id)

    def _call(self, node: ast.Call) -> None:
        name = unparsed(node.func) if isinstance(node.func, (ast.Attribute, ast.Name)) else ""
        if isinstance(node.func, ast.Name):
            self.other.add(node.func.id)
        plain = [a.id for a in node.args if isinstance(a, ast.Name)]
        if name in ("range", "zip", "enumerate", "isinstance", "callable", "iter", "next", "list", "tuple", "sorted", "set", "dict", "open", "getattr", "hasattr"):
            self.other.update(plain)
            return
        self.seen.update(plain)
        if name.startswith(_TENSOR_CALLS) and not any(name == n or name.startswith(n + ".") for n in _TAKES_NO_TENSOR) and node.args:
            if isinstance(node.args[0], ast.Name):
                self.tensor.add(node.args[0].id)
