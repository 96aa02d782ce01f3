"""The other version of the source: a copy of the project, one file, or a git revision."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import VerifyError
from .target import Target, parse_target


@contextmanager
def original_source(against: str, target: str, root: Path) -> Iterator[tuple[Path, str]]:
    """Give the root of the other version and the target in it; what was unpacked is gone afterwards.

    A target whose file the other version does not have, such as a provider written only now, is taken from ``root``.

    Raises:
        VerifyError: ``against`` is neither a path nor a revision.
    """
    parsed = parse_target(target)
    path = Path(against)
    if path.is_file():
        yield root, f"{path.resolve()}:{parsed.name}"
    elif path.is_dir():
        yield path.resolve(), _target_in(path.resolve(), parsed, root)
    else:
        folder = Path(tempfile.mkdtemp(prefix="g2s-against-"))
        try:
            _unpack_revision(against, root, folder)
            yield folder, _target_in(folder, parsed, root)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _target_in(original: Path, target: Target, root: Path) -> str:
    here = target.source_in(root)
    if target.source_in(original) is None and here is not None:
        return f"{here.resolve()}:{target.name}"
    return str(target)


def _unpack_revision(revision: str, root: Path, folder: Path) -> None:
    if shutil.which("git") is None:
        raise VerifyError(f"`{revision}` is no path, and git is not installed to look it up as a revision")
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    if commit.returncode:
        raise VerifyError(f"`{revision}` is neither a path nor a git revision of {root}")
    archive = folder / ".g2s-archive.tar"
    # Run in the project's own folder, git archives that folder alone, with paths relative to it.
    packed = _git(root, "archive", "--format=tar", f"--output={archive}", commit.stdout.strip())
    if packed.returncode:
        raise VerifyError(f"git could not give the files of `{revision}`: {packed.stderr.strip()}")
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(folder, filter="data")
        else:
            tar.extractall(folder)
    archive.unlink()


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
