"""A request with what it expects, read from its file, and the home that it is asked in."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from armslength.demo import build_home
from armslength.demo.attacks import ATTACKS, SERVER
from armslength.demo.mails import MAILS, OWNER
from armslength.demo.pieces import (
    Attached,
    Mail,
    Meeting,
    Person,
    write_calendar,
    write_contacts,
    write_files,
    write_maildir,
)
from armslength.labels import Source, label
from armslength.tools.contacts.vcard import read_cards
from armslength.tools.ledger import Ledger

FOLDER = Path(__file__).parents[2] / "examples" / "everyday"
Table = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One file and the program for it."""

    number: int
    name: str
    content: Table
    program: str

    @property
    def now(self) -> datetime:
        """The moment of the run, local."""
        moment: datetime = self.content["now"]
        return moment

    @property
    def is_apart(self) -> bool:
        """Whether it needs what no tool can do: then nothing is to change."""
        return bool(self.content["needs"])

    def mail(self, slug: str) -> Mail:
        """The mail of that slug in this case's home."""
        return next(mail for mail in self.mails() if mail.slug == slug)

    def mails(self) -> list[Mail]:
        """All mails of its home, oldest first."""
        home = self.content["home"]
        left = [*MAILS, *(attack.mail for attack in ATTACKS)]
        kept = [mail for mail in left if mail.slug not in home.get("without_mails", [])]
        own = [_mail(table, self.now) for table in home.get("mails", [])]
        return sorted([*kept, *own], key=lambda mail: mail.ago, reverse=True)


def cases() -> list[Case]:
    """All forty."""
    return [_case(path) for path in sorted(FOLDER.glob("[0-9]*.toml"))]


def _case(path: Path) -> Case:
    program = (FOLDER / "programs" / f"{path.name[:2]}.py").read_text("utf-8")
    return Case(int(path.name[:2]), path.stem[3:], tomllib.loads(path.read_text("utf-8")), program)


def _mail(table: Table, now: datetime) -> Mail:
    """`is_authenticated`: the user's own server vouches on top."""
    return Mail(
        slug=table["slug"],
        sender=table["sender"],
        subject=table["subject"],
        text=table["text"].lstrip("\n"),
        ago=now - table["delivered"],
        is_unread=table.get("is_unread", False),
        folder=table.get("folder", ""),
        to=table.get("to", ""),
        cc=table.get("cc", ""),
        verified_by=SERVER if table["is_authenticated"] else "",
        answers=table.get("answers", ""),
        headers=tuple((name, text) for name, text in table.get("headers", [])),
        attached=tuple(
            Attached(each["name"], each["type"], each["text"].encode()) for each in table.get("attachments", [])
        ),
    )


def build(case: Case, folder: Path) -> Path:
    """The demo's home with what the case adds. Returns its configuration."""
    config = build_home(folder, case.now)
    home = case.content["home"]
    shutil.rmtree(folder / "mail")
    write_maildir(folder / "mail", case.mails(), case.now, OWNER)
    events = [_meeting(table) for table in home.get("events", [])]
    if events:
        write_calendar(folder / "calendar" / "more.ics", events)
    files = home.get("files", [])
    write_files(folder / "files", ((table["name"], table["text"].lstrip("\n")) for table in files))
    _add_contacts(folder, home.get("contacts", []))
    _add_pages(folder / "standin" / "web", home.get("pages", []))
    _remember(folder, files)
    return config


def _meeting(table: Table) -> Meeting:
    return Meeting(
        table["slug"],
        table["title"],
        table["start"],
        timedelta(minutes=table["minutes"]),
        tuple(table.get("participants", [])),
        table.get("location", ""),
        table.get("description", ""),
    )


def _add_contacts(folder: Path, tables: Iterable[Table]) -> None:
    """Each behind those of the demo; one that an earlier run wrote is known to the ledger."""
    book = folder / "contacts.vcf"
    ledger = Ledger(folder / "state" / "contacts.ledger.json")
    for table in tables:
        more = folder / "more.vcf"
        write_contacts(more, [Person(table["name"], table["email"], table.get("phone", ""))])
        added = more.read_bytes()
        more.unlink()
        book.write_bytes(book.read_bytes() + added)
        if "written_from" in table:
            (card,) = read_cards(added)
            ledger.record(f"{book.name}#{card.name}", card.raw.encode(), label([Source(table["written_from"])]))


def _add_pages(web: Path, tables: Iterable[Table]) -> None:
    index = {}
    for number, table in enumerate(tables):
        index[table["url"]] = f"page{number}.txt"
        (web / f"page{number}.txt").write_text(table["text"], "utf-8")
    (web / "index.json").write_text(json.dumps(index), "utf-8")


def _remember(folder: Path, tables: Iterable[Table]) -> None:
    """What an earlier run wrote into a file, the ledger knows."""
    ledger = Ledger(folder / "state" / "files.ledger.json")
    for table in tables:
        if "written_from" in table:
            content = (folder / "files" / table["name"]).read_bytes()
            ledger.record(table["name"], content, label([Source(table["written_from"])]))
