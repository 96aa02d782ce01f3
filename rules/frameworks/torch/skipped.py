"""Callables that Dynamo ends the graph for, by dotted name or by the module that they live in.

What Dynamo's own rules skip comes from the generated tables; this is what was seen to break besides. ``tests/rules`` calls each of
them under the framework, so an entry that it has outgrown fails.
"""

from __future__ import annotations

from .tables import members

_MODULES = {
    **dict.fromkeys(
        (
            "time", "subprocess", "uuid", "socket", "shutil", "tempfile", "pickle", "heapq", "traceback", "pdb", "gc", "hashlib", "base64",
            "struct", "zlib", "ctypes", "signal", "scipy", "tqdm", "loguru", "psutil", "cv2", "PIL", "sklearn", "pandas", "requests",
            "urllib", "http", "resource", "bisect", "secrets", "wandb", "torchaudio.lib", "dill", "cloudpickle", "marshal",
        ),
        "GB0007",
    ),
    "datetime": "GB0156",
    "queue": "GB0142",
    "threading": "GB0007",
    "multiprocessing": "GB0007",
    "io": "GB0156",
}  # fmt: skip
"""Top-level packages, all of whose callables are skipped."""
_TRACED = {
    "time.struct_time", "queue.Queue", "threading.local", "threading.Semaphore", "io.StringIO",
    "datetime.datetime", "datetime.date", "http.HTTPStatus", "struct.pack", "struct.unpack", "traceback.format_exc", "torch.nn.utils.rnn.pad_packed_sequence",
}  # fmt: skip
_NAMES = {
    **dict.fromkeys(
        (
            "random.random", "random.choice", "random.shuffle", "random.sample", "random.gauss", "random.choices", "random.seed",
            "random.betavariate", "random.normalvariate", "random.getstate", "random.setstate",
            "os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.getsize", "os.getpid", "os.getcwd", "os.listdir", "os.makedirs", "os.mkdir", "os.remove", "os.system", "os.stat",
            "os.walk", "os.urandom", "os.cpu_count", "os.unlink", "os.rename", "inspect.stack", "inspect.currentframe", "sys._getframe",
            "sys.getsizeof", "torch.save", "torch.load",
            "torch.manual_seed", "torch.get_rng_state", "torch.set_rng_state",
            "torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "torch.set_num_threads",
            "torch.random.manual_seed", "torch.random.get_rng_state",
            "torch.random.set_rng_state",
            "torch.nn.utils.rnn.pack_padded_sequence",
            "torch.nn.utils.rnn.pack_sequence",
            "torch.set_flush_denormal",
            "importlib.import_module", "importlib.reload",
        ),
        "GB0007",
    ),
    **dict.fromkeys(("json.dump", "json.load", "json.dumps", "json.loads", "urllib.parse.quote"), "GB0156"),
    "torch.cuda.memory_allocated": "GB0208",
    "torch.cuda.max_memory_allocated": "GB0208",
    "torch.initial_seed": "GB0208",
    "secrets.token_hex": "GB0008",
    "datetime.timedelta": "GB0147",
    "torch.Generator": "GB0363",
    "torch.Generator.manual_seed": "GB7650",
    "torch.Generator.seed": "GB7650",
    "torch.utils.hooks.RemovableHandle.remove": "GB0013",
    "torch.jit.ScriptModule": "GB4695",
    "contextlib.ExitStack.enter_context": "GB0092",
    "queue.Queue.put": "GB0142",
    "queue.Queue.get": "GB0142",
    "torch.get_num_threads": "GB0208",
    "torch.cuda.device_count": "GB0208",
    "torch.backends.mps.is_available": "GB0208",
    "torch.is_inference_mode_enabled": "GB0046",
    "Tensor.is_inference": "GB0045",
    "datetime.datetime.now": "GB0156",
    "datetime.datetime.today": "GB0156",
    "datetime.date.today": "GB0156",
    "torch.nn.Module.load_state_dict": "GB0208",
    "torch.nn.Module.register_forward_hook": "GB0467",
    "torch.nn.Module.register_forward_pre_hook": "GB0467",
    "torch.distributions.kl_divergence": "GB0059",
    "torch.distributions.kl.kl_divergence": "GB0059",
}  # fmt: skip
"""Single callables, with the id under which Dynamo reports them."""


def effect_of(name: str) -> str | None:
    """The id of the graph break that calling ``name`` causes, None if it is traced."""
    known = _NAMES.get(name)
    if known is not None or name in _TRACED:
        return known
    if name.startswith("torch.") and name in members("skipped"):
        return "GB0007"
    root = name.partition(".")[0]
    return _MODULES.get(root)
