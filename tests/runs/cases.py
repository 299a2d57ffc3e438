"""Requests whose process is killed, and the home in which they are carried out: scripted models, real tools, a person who says yes."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from bench.home.world import NOW, Home, says

from armslength.agent.approving.approval import Screen
from armslength.app import Assistant
from armslength.events import Json
from armslength.models.base import ModelRequest
from armslength.store.keeping import DatabaseRuns
from armslength.store.sqlite import SqliteRuns
from armslength.testing import ScriptedModel
from armslength.tools.base import Tool, ToolCall
from armslength.values import Labelled, Plain


@dataclass(frozen=True)
class Case:
    """A request. `programs`: what the planner writes, one after the other is refused. `can_tell`: every tool in it knows what it did."""

    programs: tuple[str, ...]
    pasted: str | None = None
    is_strict: bool = False
    can_tell: bool = True


FILES = """
m = search_emails(sender="Julia")[0]
items = quarantined("Which items?", m.body, returns=list[str])
append_to_file(filename="todo.txt", text="\\n".join(items))
write_file(filename="plan.txt", text="today: " + str(len(items)))
answer(f"noted {len(items)}")
"""
MAIL = """
m = search_emails(sender="Julia")[0]
said = quarantined("A summary", m.body)
send_email(recipients=["kim@example.com"], subject="News", body=said)
reply_to_email(email=m, body="Thank you")
draft_email(recipients=["kim@example.com"], subject="Later", body=said)
answer(said)
"""
BARRIER = """
append_to_file(filename="todo.txt", text="one")
first = read_file(filename="todo.txt").content
append_to_file(filename="todo.txt", text="two")
answer(first)
"""
ALIKE = """
for i in range(3):
    append_to_file(filename="todo.txt", text="again")
write_file(filename="plan.txt", text="x")
write_file(filename="plan.txt", text="x")
"""
BESIDE = """
unused = list_files()
late = read_file(filename="plan.txt")
kinds = [quarantined("What is it?", m.body, returns=Literal["shop", "other"]) for m in search_emails()]
append_to_file(filename="plan.txt", text="more")
answer(late.content)
answer(", ".join(kinds))
"""
TRASH = """
for m in search_emails(sender="Bob"):
    trash_email(email=m)
create_calendar_event(title="Call", start="2026-12-01 09:00", end="2026-12-01 10:00")
"""
POSTING = """
page = fetch_web_page(url="https://shop.example/")
send_slack_message(channel="home", text="look: " + page)
append_to_file(filename="todo.txt", text="posted")
"""
STRICT = """
append_to_file(filename="todo.txt", text=read_pasted_text())
write_file(filename="new.txt", text="n")
answer("ok")
"""
STOPPED = """
append_to_file(filename="todo.txt", text="never")
int(search_emails(sender="Julia")[0].body)
"""
AGAIN = ("import os", 'append_to_file(filename="todo.txt", text=today())\nanswer(today())')
CASES = {
    "files": Case((FILES,)),
    "mail": Case((MAIL,)),
    "barrier": Case((BARRIER,)),
    "alike": Case((ALIKE,)),
    "again": Case(AGAIN),
    "beside": Case((BESIDE,)),
    "trash": Case((TRASH,), can_tell=False),
    "posting": Case((POSTING,), can_tell=False),
    "strict": Case((STRICT,), pasted="pasted words", is_strict=True),
    "stopped": Case((STOPPED,)),
}


def furnish(path: Path, url: str = "") -> None:
    """A home with mail, files and a page. `url`: of the PostgreSQL that keeps its runs; SQLite if there is none."""
    home = Home(path)
    if url:
        (path / "database").write_text(url, "utf-8")
    home.verified("milk, bread", subject="Shopping")
    home.verified("lunch?", subject="Lunch", sender="Bob Stone <bob@example.com>")
    home.file("todo.txt", "- old\n")
    home.file("plan.txt", "nothing yet\n")
    home.page("https://shop.example/", "open until six")


def runs_in(path: Path) -> DatabaseRuns:
    """Where the runs of this home are kept. What kills a process here ends its effects, too."""
    if (path / "database").exists():
        from armslength.store.postgres import PostgresRuns

        return PostgresRuns((path / "database").read_text("utf-8"), path / "state", settling=0)
    return SqliteRuns(path / "state" / "runs.sqlite")


class Willing:
    """A person who says yes, and whose screens are counted in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def approve(self, screen: Screen) -> bool:
        log(self._path / "asked", screen.digest)
        return True


def assistant_in(path: Path, case: Case) -> Assistant:
    """The assistant of a new process. What its tools perform is logged."""
    home = Home(path)

    def planner(request: ModelRequest) -> str:
        return case.programs[min(len(request.turns) // 2, len(case.programs) - 1)]

    return Assistant(
        tools=[_logged(each, path / "performed") for each in home.tools()],
        planner=ScriptedModel(planner),
        quarantined=ScriptedModel(_read),
        trust=home.trust,
        runs=runs_in(path),
        now=lambda: NOW,
    )


def _read(request: ModelRequest) -> str:
    text = request.turns[-1].text
    if "Which items?" in text:
        return says(["milk", "bread"])
    if "What is it?" in text:
        return says("shop" if "milk" in text else "other")
    return says("Julia wants milk and bread")


def _logged(tool: Tool, path: Path) -> Tool:
    def run(call: ToolCall, args: dict[str, Plain]) -> Labelled:
        if not tool.is_effect:
            log(path, json.dumps([tool.name, args], sort_keys=True))
        return tool.run(call, args)

    return replace(tool, run=run)


def log(path: Path, line: str) -> None:
    """One more line of a log that several processes write."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(handle, line.encode() + b"\n")
    os.close(handle)


def logged(path: Path, name: str) -> list[str]:
    """The lines of a log."""
    return (path / name).read_text("utf-8").splitlines() if (path / name).exists() else []


def world(path: Path) -> Json:
    """What everybody can see, and the labels of what we wrote, whatever time and process gave names to."""
    home = Home(path)
    folders = ("", ".Trash", ".Sent", ".Outbox", ".Drafts")
    mail = {folder: sorted(_texts(path / "mail" / folder, "new", "cur")) for folder in folders}
    return {
        "mail": mail,
        "slack": home.slack("home"),
        "files": {each.name: each.read_text("utf-8") for each in sorted((path / "files").iterdir())},
        "calendar": sorted(each.read_text("utf-8") for each in (path / "calendar").iterdir()),
        "labels": {each.name: json.loads(each.read_text("utf-8")) for each in sorted((path / "state").glob("*.json"))},
    }


def _texts(place: Path, *names: str) -> list[str]:
    return [each.read_text("utf-8") for name in names if (place / name).is_dir() for each in (place / name).iterdir()]
