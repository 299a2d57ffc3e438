"""llama.cpp's server inside this process, spoken to over a Unix socket.

The socket lies in a folder that only this user can enter, and each call carries a key made for this process: nobody else on the machine
can ask it. One slot, which each caller erases first. The runtime itself writes nothing to standard output or standard error.
"""

from __future__ import annotations

import atexit
import contextlib
import http.client
import importlib
import importlib.util
import json
import os
import secrets
import selectors
import shutil
import socket
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armslength.errors import ModelError, ModelMissing, ModelNonsense, ModelTimedOut, ModelUnreachable
from armslength.installing import install_command
from armslength.models.base import given_up

_SOCKET_PATH_LIMIT = 100  # bytes; the kernels allow 104 to 108
_LOOK = 0.25  # seconds between two looks at whether somebody still waits
_BATCH = 64  # tokens read between two looks at whether the caller has gone: about three seconds on two cores


@dataclass(frozen=True, slots=True)
class RuntimeSettings:
    """What the server is started with. `window` in tokens, `timeout` in seconds for one call, `threads` at least 1."""

    model_file: Path
    state_folder: Path
    threads: int
    window: int
    timeout: float


def check_runtime(model_file: Path) -> None:
    """Looks whether the runtime could be started, without loading it.

    Raises:
        ModelMissing: the package, the model file, or the operating system's Unix sockets are not there.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelMissing(f"embedded model: its runtime is not installed; run {install_command('local')}")
    if not model_file.is_file():
        raise ModelMissing(f"embedded model: no file {model_file}; run armslength model fetch")
    if not hasattr(socket, "AF_UNIX"):
        raise ModelMissing("embedded model: this system has no Unix sockets; configure another model")


class Runtime:
    """A running server. Ended by `close` or with the process."""

    def __init__(self, settings: RuntimeSettings) -> None:
        """Loads the model: seconds, and about two gigabytes of memory.

        Raises:
            ModelUnreachable: it does not load.
        """
        self._settings = settings
        self._key = secrets.token_urlsafe(32)
        self._folder = _socket_folder()
        self._socket_path = str(self._folder / "m.sock")
        os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # else a failing runtime starts a debugger
        try:
            library = importlib.import_module("xllamacpp")
            self.version = f"{library.__version__} {library.BUILD_INFO}"
            self._server = library.Server(_parameters(library, settings, self._socket_path, self._key))
        except (ImportError, AttributeError, RuntimeError, OSError):
            self._server = None
            shutil.rmtree(self._folder, ignore_errors=True)
            raise ModelUnreachable(
                f"embedded model: {settings.model_file} does not load; run armslength model fetch, or free some memory"
            ) from None
        atexit.register(self.close)

    def close(self) -> None:
        """Frees the model and removes the socket. May be called twice."""
        self._server = None
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.close)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """One call. Giving up (time-out, Ctrl-C, `given_up`) closes the connection, and the server stops after its current batch.

        Raises:
            ModelError: one of its subclasses.
        """
        connection = _UnixConnection(self._socket_path, self._settings.timeout)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            connection.request("POST", path, json.dumps(body).encode(), headers)
            _wait_for(connection.sock, self._settings.timeout)
            response = connection.getresponse()
            status, text = response.status, response.read()
        except TimeoutError:
            raise ModelTimedOut(
                f"embedded model: no answer within {self._settings.timeout:g} s; ask for less, or give it more threads"
            ) from None
        except (OSError, http.client.HTTPException):
            raise ModelUnreachable("embedded model: its runtime has stopped; start again") from None
        finally:
            connection.close()
        return _checked(status, text, self._settings.window)

    def tokens(self, text: str, *, control: str = "plain") -> list[int]:
        """The tokens of a text. Only with `control="special"` do `<|im_start|>` and its like become control tokens."""
        body = {"content": text, "add_special": False, "parse_special": control == "special"}
        found = self.post("/tokenize", body).get("tokens")
        if not isinstance(found, list) or not all(isinstance(token, int) for token in found):
            raise ModelNonsense(
                "embedded model: its runtime does not tokenise; install the tested version of xllamacpp"
            )
        return found

    def erase(self) -> None:
        """Forgets all that was read."""
        self.post("/slots/0?action=erase", {})

    def save(self, file_name: str) -> int:
        """Writes the state of what was read into the state folder; how many tokens that were."""
        return _count(self.post("/slots/0?action=save", {"filename": file_name}), "n_saved")

    def restore(self, file_name: str) -> int:
        """Reads a state back; how many tokens it holds. The file must be whole: a cut one ends the process."""
        return _count(self.post("/slots/0?action=restore", {"filename": file_name}), "n_restored")


def _wait_for(answering: socket.socket, timeout: float) -> None:
    """Until something comes.

    Raises:
        TimeoutError: nothing did.
        ModelError: nobody waits any more.
    """
    deadline = time.monotonic() + timeout
    is_given_up = given_up.get()
    with selectors.DefaultSelector() as selector:
        selector.register(answering, selectors.EVENT_READ)
        while not selector.select(min(_LOOK, timeout)):
            if is_given_up():
                raise ModelError("embedded model: nobody waits for this answer any more")
            if time.monotonic() >= deadline:
                raise TimeoutError


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _parameters(library: Any, settings: RuntimeSettings, socket_path: str, key: str) -> Any:
    wanted = library.CommonParams()
    wanted.model.path = str(settings.model_file)
    wanted.n_ctx = settings.window
    wanted.n_parallel = 1
    wanted.n_batch = wanted.n_ubatch = _BATCH
    for cores in (wanted.cpuparams, wanted.cpuparams_batch):
        cores.n_threads = settings.threads
        cores.poll = 0  # sleep between batches instead of spinning
    wanted.n_gpu_layers = 0
    wanted.hostnames = [socket_path]  # ends in .sock: a Unix socket instead of a port
    wanted.api_keys = [key]
    wanted.slot_save_path = f"{settings.state_folder}/"
    wanted.cache_ram_mib = 0  # else up to 8 GiB of earlier prompts are kept
    wanted.cache_idle_slots = False
    wanted.endpoint_slots = False
    wanted.n_threads_http = 2
    wanted.use_jinja = False
    wanted.fit_params = False
    wanted.warmup = False
    wanted.offline = True
    wanted.ui = False
    wanted.verbosity = -1
    return wanted


def _socket_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="armslength-"))
    if len(os.fsencode(folder)) <= _SOCKET_PATH_LIMIT - len("/m.sock"):
        return folder
    with contextlib.suppress(OSError):
        folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="armslength-", dir="/tmp"))


def _checked(status: int, text: bytes, window: int) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise ModelNonsense("embedded model: its runtime gave no readable answer; start again")
    if status == 200:
        return body
    error = body.get("error")
    if isinstance(error, dict) and error.get("type") == "exceed_context_size_error":
        raise ModelError(
            f"embedded model: the text is longer than its window of {window} tokens; ask about less at once"
        )
    raise ModelUnreachable(
        f"embedded model: its runtime refused a call (HTTP {status}); install the tested version of xllamacpp"
    )


def _count(body: dict[str, Any], key: str) -> int:
    found = body.get(key)
    return found if isinstance(found, int) else -1
