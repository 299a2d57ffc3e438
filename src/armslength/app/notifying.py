"""How a person hears that a run which began by itself has ended or waits: a command on this machine, or a web hook.

What is told is always of the same form: the task, the run, and that there is something to look at. Neither how it ended nor anything that
was read is in it; whoever gets it learns when runs end.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from armslength.app.secrets import SecretPlace
from armslength.app.table import Table
from armslength.asking import Question, asked_once
from armslength.errors import OperatorError, ToolError
from armslength.hosts import is_here

_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Notify:
    """`command`: word by word; the line is its last word. `webhook`: a URL that gets JSON; `token`: where the token is that goes with it."""

    command: tuple[str, ...] = ()
    webhook: str = ""
    token: SecretPlace | None = None

    def tell(self, task: str, run: str) -> None:
        """Tell both that are configured.

        Raises:
            OperatorError: one of them failed. The other is told all the same.
        """
        failed = [failure for way in (self._run, self._post) if (failure := _tried(way, task, run))]
        if failed:
            raise OperatorError(f"notify: {'; '.join(failed)}")

    def _run(self, task: str, run: str) -> None:
        if self.command:
            line = f"{task}: there is something to look at; armslength show {run}"
            done = subprocess.run(  # noqa: S603  # the user's own command
                (*self.command, line), stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
            )
            if done.returncode:
                raise OperatorError(f"{self.command[0]} failed with {done.returncode}")

    def _post(self, task: str, run: str) -> None:
        if self.webhook:
            headers = {"content-type": "application/json"}
            if self.token is not None:
                headers["authorization"] = f"Bearer {self.token()}"
            _post(self.webhook, json.dumps({"task": task, "run": run}), headers)


def _post(url: str, content: str, headers: dict[str, str]) -> None:
    place = str(urlsplit(url).hostname)
    try:
        answered = asked_once(Question(place, url, content.encode(), headers, _SECONDS))
    except ToolError as error:
        raise OperatorError(str(error)) from None
    if not 200 <= answered.status < 300:
        raise OperatorError(f"{place} answered {answered.status}")


def _tried(way: Callable[[str, str], None], task: str, run: str) -> str:
    """What went wrong; nothing if nothing did."""
    try:
        way(task, run)
    except OperatorError as error:
        return str(error)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return f"the command could not be run ({type(error).__name__})"
    return ""


def notify_in(table: Table) -> Notify:
    """The table `[notify]`.

    Raises:
        ConfigError: the web hook is no URL of https, or of http on this machine.
    """
    url = table.text("webhook")
    if url and not _is_acceptable(url):
        raise table.wrong(
            "webhook", "a URL that begins with https://, or with http:// on this machine, without a password"
        )
    return Notify(table.texts("command"), url, table.secret("token"))


def _is_acceptable(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return (
            bool(parts.hostname)
            and parts.username is None
            and (parts.scheme == "https" or (parts.scheme == "http" and is_here(parts.hostname)))
        )
    except ValueError:
        return False
