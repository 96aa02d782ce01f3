from typing import Any, NamedTuple
class FunctionEntry(NamedTuple):
    parameters: tuple[str, ...]
    result: str
    dtype: str
def functions() -> dict[str, FunctionEntry]: return {}
def autograph() -> dict[str, Any]: return {"do_not_convert": ["collections","copy","inspect","pathlib","re","threading","urllib","matplotlib","numpy","pandas","PIL","absl.logging","tensorflow","tensorflow_probability","tensorflow_datasets.core","keras","tf_keras"]}
def xla() -> dict[str, Any]: return {"functions_without_kernel": ["tf.strings.as_string"]}
def removed_v1() -> dict[str, Any]: return {"tf.log": "tf.math.log", "tf.to_float": None, "tf.placeholder": None, "tf.Session": None, "tf.assign_add": None, "tf.assign": None}
