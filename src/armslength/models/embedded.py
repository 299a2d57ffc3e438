"""The embedded model: Qwen2.5-Coder on this machine's processor, no key, no network.

The prompt is built here as tokens, not as text: only the ChatML frame has control tokens; system text and turns are tokenised
without, so `<|im_end|>` in a mail stays six plain tokens. Each call starts from an erased slot; the kept state of the system text is
restored only for a request with `keep_prefix`. Importing this module loads no runtime.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armslength.errors import ConfigError, ModelError, ModelMissing, ModelNonsense, ModelUnreachable
from armslength.models.base import JsonSchema, ModelReply, ModelRequest, Processor, Usage
from armslength.models.fetch import QWEN_CODER, default_folder, find_model, model_digest
from armslength.models.prefixes import PrefixStore, prefix_key
from armslength.models.runtime import Runtime, RuntimeSettings, check_runtime
from armslength.models.text import whole_text

THREADS_VARIABLE = "ARMSLENGTH_THREADS"
LOAD_FILE = Path("/proc/loadavg")  # its fourth field counts what runs now, this process included: proc(5)
WINDOW = 8192
_MOST_THREADS = 8
_LEAST_ANSWER = 16  # tokens
# llguidance would else allow any white space between tokens, and a small model can go on with that to the end.
_COMPACT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}


def _ignore(_notice: str) -> None:
    """No notices."""


@dataclass(frozen=True, slots=True)
class EmbeddedSettings:
    """How the embedded model runs. `threads` 0: `ARMSLENGTH_THREADS`, else the free cores, at most 8.

    `window` in tokens (28 KB of memory each), `timeout` in seconds for one call.
    `model_file`, `model_sha256`, `state_folder` empty: what `model fetch` left in the cache folder.
    `notice` is told in one line of what takes long.
    """

    model_file: Path | None = None
    model_sha256: str = ""
    state_folder: Path | None = None
    threads: int = 0
    window: int = WINDOW
    timeout: float = 900.0
    notice: Callable[[str], None] = _ignore


class EmbeddedModel:
    """The model in this process. Calls from several threads wait for each other. Loaded by the first call.

    Raises:
        ModelMissing: the model file or the runtime is not there; the message says what to run.
        ConfigError: `ARMSLENGTH_THREADS` is not a number of threads.
    """

    def __init__(self, settings: EmbeddedSettings | None = None) -> None:
        settings = settings or EmbeddedSettings()
        model_file = settings.model_file or find_model()
        if model_file is None:
            raise ModelMissing("embedded model: it is not on this machine; run armslength model fetch")
        check_runtime(model_file)
        folder = settings.state_folder or default_folder() / "prefixes"
        threads = settings.threads or _threads_of_environment()
        self._runtime_settings = RuntimeSettings(model_file, folder, threads, settings.window, settings.timeout)
        self._notice = settings.notice
        self._model_sha256 = settings.model_sha256 or model_digest(model_file)
        self._store = PrefixStore(folder)
        self._runtime: Runtime | None = None
        self._frame = _Frame(0, 0, ())
        self._lock = threading.RLock()
        self._processor = Processor("embedded", _model_name(self._model_sha256), True, True, settings.window, 1)

    @property
    def processor(self) -> Processor:
        """This machine; a small model."""
        return self._processor

    def count_tokens(self, text: str) -> int:
        """How many tokens the text has. Loads the model if it is not loaded."""
        return len(self._start().tokens(whole_text(text)))

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once and wait.

        Raises:
            ModelError: one of its subclasses, with a message of one line.
        """
        started = time.monotonic()
        with self._lock:
            runtime = self._start()
            system, rest = self._system_tokens(runtime, request)
            prompt = [*system, *rest]
            for turn in request.turns:
                prompt += self._turn_tokens(runtime, turn.role, turn.text)
            prompt += [self._frame.begin, *runtime.tokens(f"assistant\n{request.answer_start}")]
            room = self._processor.window - len(prompt)
            if room < _LEAST_ANSWER:
                window = self._processor.window
                raise ModelError(
                    f"embedded model: the text is longer than its window of {window} tokens; ask about less at once"
                )
            runtime.erase()
            kept = self._recall(runtime, system) if request.keep_prefix else 0
            body = runtime.post("/completion", _completion(request, prompt, min(request.max_tokens, room)))
            runtime.erase()
        return _reply(body, request.answer_start, kept, time.monotonic() - started)

    def close(self) -> None:
        """Frees the memory. The next call loads the model again."""
        with self._lock:
            if self._runtime is not None:
                self._runtime.close()
                self._runtime = None

    def _start(self) -> Runtime:
        with self._lock:
            if self._runtime is None:
                self._store.prepare()
                runtime = Runtime(self._runtime_settings)
                self._frame = _frame(runtime)
                self._runtime = runtime
            return self._runtime

    def _system_tokens(self, runtime: Runtime, request: ModelRequest) -> tuple[list[int], list[int]]:
        """The tokens whose state may be kept, and those of the system text's end, which changes from day to day."""
        if not request.changing:
            return self._turn_tokens(runtime, "system", request.system), []
        lasting, changing = request.system[: -request.changing], request.system[-request.changing :]
        begin = [self._frame.begin, *runtime.tokens(f"system\n{whole_text(lasting)}")]
        return begin, [*runtime.tokens(whole_text(changing)), self._frame.end, *self._frame.line]

    def _turn_tokens(self, runtime: Runtime, role: str, text: str) -> list[int]:
        inner = runtime.tokens(f"{role}\n{whole_text(text)}")
        return [self._frame.begin, *inner, self._frame.end, *self._frame.line]

    def _recall(self, runtime: Runtime, system: list[int]) -> int:
        """Brings the state of the system text into the slot, reading the text if no state is kept; how many tokens were kept."""
        if not self._store.prepare():
            return 0
        key = prefix_key(self._model_sha256, runtime.version, system)
        name = self._store.find(key)
        if name is not None:
            try:
                if runtime.restore(name) == len(system):
                    return len(system)
            except ModelUnreachable:
                pass
            self._store.drop(name)
            runtime.erase()
        self._notice("reading the instructions for the first time; this is kept for later runs")
        runtime.post(
            "/completion", {"prompt": system, "n_predict": 0, "id_slot": 0, "cache_prompt": True, "temperature": 0.0}
        )
        temporary = self._store.temporary()
        try:
            is_whole = runtime.save(temporary) == len(system)
        except ModelUnreachable:
            is_whole = False
        if is_whole:
            self._store.adopt(temporary, key)
        else:
            self._store.drop(temporary)
        return 0


@dataclass(frozen=True, slots=True)
class _Frame:
    """ChatML: the control tokens around a turn, and the line end after it."""

    begin: int
    end: int
    line: tuple[int, ...]


def _frame(runtime: Runtime) -> _Frame:
    begin = runtime.tokens("<|im_start|>", control="special")
    end = runtime.tokens("<|im_end|>", control="special")
    if len(begin) != 1 or len(end) != 1:
        runtime.close()
        raise ModelUnreachable(
            "embedded model: the file is not a ChatML model such as Qwen2.5; run armslength model fetch"
        )
    return _Frame(begin[0], end[0], tuple(runtime.tokens("\n")))


def _completion(request: ModelRequest, prompt: list[int], max_tokens: int) -> dict[str, Any]:
    body: dict[str, Any] = {
        "prompt": prompt,
        "n_predict": max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
        "id_slot": 0,
        "cache_prompt": request.keep_prefix,
    }
    if request.schema is not None:
        schema: JsonSchema = {**request.schema, "x-guidance": _COMPACT}
        body["json_schema"] = schema
    return body


def _reply(body: dict[str, Any], answer_start: str, kept: int, seconds: float) -> ModelReply:
    text = body.get("content")
    if not isinstance(text, str) or not text.strip():
        raise ModelNonsense("embedded model: it gave an empty answer; rephrase the request")
    prompt, completion = body.get("tokens_evaluated"), body.get("tokens_predicted")
    return ModelReply(
        text=answer_start + text,
        usage=Usage(
            prompt=prompt if isinstance(prompt, int) else 0,
            cached=kept,
            completion=completion if isinstance(completion, int) else 0,
            seconds=seconds,
        ),
        cut=body.get("stop_type") == "limit",
    )


def _threads_of_environment() -> int:
    written = os.environ.get(THREADS_VARIABLE, "").strip()
    if not written:
        return _free_cores()
    if not (written.isascii() and written.isdigit() and 1 <= int(written[:6]) <= 256):
        raise ConfigError(f"{THREADS_VARIABLE}: not a number from 1 to 256; set it to how many cores the model may use")
    return int(written[:6])


def _free_cores() -> int:
    """The cores of this process that nobody else is using right now: threads that wait for a busy core slow each other tenfold."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        running = int(LOAD_FILE.read_text().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        running = 1
    return max(1, min(cores, _MOST_THREADS, cores - (running - 1)))


def _model_name(sha256: str) -> str:
    return QWEN_CODER.name if sha256 == QWEN_CODER.sha256 else f"a model file of the person's ({sha256[:12]})"
