"""The demo's home: a mailbox, a calendar, files, an address book and a configuration, dated around a moment."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from armslength.demo.attacks import ATTACKS, SERVER
from armslength.demo.mails import MAILS, OWNER
from armslength.demo.pieces import Meeting, Person, write_calendar, write_contacts, write_files, write_maildir
from armslength.errors import OperatorError

CONFIG = f"""# The demo's home. Ask in it with: armslength ask --config THIS_FILE your request
state = "state"

[user]
name = "Robin Hale"
addresses = ["{OWNER}"]

[mail]
path = "mail"
authserv_id = "{SERVER}"

[files]
path = "files"

[calendar]
path = "calendar"

[contacts]
path = "contacts.vcf"

# Files that stand in for web pages and Slack.
[standin]
path = "standin"

# All mails here are the demo's own, so their HTML is read also where nothing confines the process that does.
[documents]
without_sandbox = "read"
"""

_FILES = (
    ("TODO.txt", "water the plants\ncall the plumber\n"),
    ("notes.txt", "Wi-Fi of the summer house: under the blue pot.\nPriya likes lilies. Team day: the boat.\n"),
    (
        "biography.txt",
        "Robin Hale has kept the books of small companies for twelve years and writes about it on Sundays.\n",
    ),
    (
        "report.txt",
        (
            "Quarterly report, draft\n\nCosts rose by 4 percent, mostly freight. Two suppliers were replaced.\n"
            "The van needs a new permit. Open: the price per unit that Northwind offers for next year.\n"
        ),
    ),
    ("recipes/lemon cake.txt", "4 eggs, 200 g sugar, 2 lemons, 180 g flour. 40 minutes at 170 degrees.\n"),
)

_PEOPLE = (
    Person("Dana Whitfield", "dana.whitfield@example.com", "+44 20 7946 0001"),
    Person("Priya Raman", "priya.raman@example.com", "+44 20 7946 0002"),
    Person("Jonas Weber", "jonas@weber.example.net"),
    Person("Ellen Hale", "ellen.hale@example.org", "+44 20 7946 0003"),
)


def build_home(folder: Path, now: datetime) -> Path:
    """Write the home into `folder`, which is made or empty. Returns its configuration file. Naive `now` is local time.

    Raises:
        OperatorError: the folder holds something, or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if next(folder.iterdir(), None) is not None:
            raise OperatorError(f"{folder} is not empty; name a new or an empty folder for the demo's home")
        mails = sorted([*MAILS, *(attack.mail for attack in ATTACKS)], key=lambda mail: mail.ago, reverse=True)
        write_maildir(folder / "mail", mails, now, OWNER)
        write_calendar(folder / "calendar" / "home.ics", _meetings(now))
        write_contacts(folder / "contacts.vcf", _PEOPLE)
        write_files(folder / "files", _FILES)
        write_files(folder / "standin", (("web/index.json", "{}\n"), ("slack/general.jsonl", "")))
        config = folder / "config.toml"
        config.write_text(CONFIG, "utf-8")
    except OSError as error:
        raise OperatorError(f"the demo's home cannot be written into {folder}: {error.strerror}") from error
    return config


def _meetings(now: datetime) -> list[Meeting]:
    def at(days: int, hour: int, minute: int = 0) -> datetime:
        return (now + timedelta(days=days)).replace(hour=hour, minute=minute, second=0, microsecond=0)

    hour = timedelta(hours=1)
    return [
        Meeting("standup", "Stand-up", at(1, 9, 15), timedelta(minutes=15), ("priya.raman@example.com",)),
        Meeting(
            "review",
            "Quarterly review",
            at(3, 10),
            2 * hour,
            ("dana.whitfield@example.com", "priya.raman@example.com"),
            "Room 2",
        ),
        Meeting("cake", "Lemon cake at Mum's", at(4, 15), 3 * hour, (), "14 Orchard Lane"),
        Meeting("dentist", "Dentist", at(20, 14, 15), hour, (), "Dr. Osei's Practice"),
        Meeting("past", "Budget talk", at(-4, 11), hour, ("dana.whitfield@example.com",)),
    ]
