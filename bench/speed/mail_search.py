"""What a search over a mailbox on a server costs: `python -m bench.speed.mail_search`.

Fifty thousand mails are made and put into a local index, as what comes from a server is; no server is asked. Each search goes through the catalogue of the
mail tools, with what was looked through for its label. Processor time of the best of several, by that of looking for one word in all texts with `in`. Ends
with 1 if one takes longer than the bound.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from armslength.tools.mail.catalogue import Wanted
from armslength.tools.mail.imap import Imap
from armslength.tools.mail.index import Arrived, Index, Known, Read
from armslength.tools.mail.indexed import Indexed
from armslength.tools.mail.message import read_message
from armslength.tools.mail.seen import searched, searched_who, words_in
from armslength.tools.mail.settings import MailSettings
from bench.commit import Taken, offer_place
from bench.speed.timing import interleaved

MAILS = 50_000
BOUND = 50.0
"""Milliseconds of processor time."""
_FIRST = datetime(2020, 1, 1, tzinfo=UTC)
_WORDS = 20_000
_LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
_SENDERS = 400
_PLACES = ("INBOX", "Archive", "Sent")


@dataclass(frozen=True, slots=True)
class Row:
    """One search: how many it gives, milliseconds of processor time, and those by what a look through all texts takes."""

    name: str
    found: int
    milliseconds: float
    ratio: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write. 1 if the bound is broken."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.mail_search", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--mails", type=int, default=MAILS)
    parser.add_argument("--runs", type=int, default=7, help="how often each is done; the best counts")
    offer_place(parser)
    given = parser.parse_args(argv)
    taken = Taken("mail-search")
    rows, size = measured(given.mails, given.runs)
    broken = [f"{row.name}: {row.milliseconds:.1f} ms" for row in rows if row.milliseconds > BOUND]
    for row in rows:
        print(f"{row.name:44} {row.found:4} found {row.milliseconds:8.2f} ms {row.ratio:7.3f} of a look through all")
    print(f"the index of {given.mails:,} mails: {size:.0f} MB")
    if not given.dry:
        found = {"mails": given.mails, "megabytes": size, "rows": [asdict(row) for row in rows], "broken": broken}
        print(f"written to {taken.write(found, given.json)}")
    return 1 if broken else 0


class _Mailbox:
    """The mailbox as it is once the index is up to date."""

    def __init__(self, index: Index) -> None:
        self.index, self.ours = index, frozenset[str]()

    def on_server(self) -> list[str]:
        """All folders."""
        return list(_PLACES)

    def bring_up_to_date(self) -> None:
        """It is."""


def measured(mails: int, runs: int) -> tuple[list[Row], float]:
    """All searches over so many mails, and the megabytes that their index takes."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        file = Path(folder) / "mail.index.sqlite"
        index = Index(file)
        texts = list(_filled(index, mails))
        settings = MailSettings(Path(), ("me@example.org",))
        catalogue = Indexed(cast("Imap", _Mailbox(index)), settings)
        ours = frozenset(_id(number) for number in range(mails) if _place(number) == "Sent")

        def search(text: str, who: str = "", *, is_unread: bool = False) -> Callable[[], int]:
            wanted = Wanted(("INBOX", "Archive"), words_in(text), words_in(who), is_unread)

            def run() -> int:
                if text or who:  # what a listing holds is nobody's words
                    catalogue.looked(wanted, ours)
                return len(catalogue.newest(wanted))

            return run

        words = _vocabulary()
        searches = {
            "all that is there": search(""),
            "what is unread": search("", is_unread=True),
            "a word that one mail in a thousand has": search("needle"),
            "a word that no mail has": search("nowhere"),
            "a word that nearly every mail has": search(words[0]),
            "three words that many mails have": search(" ".join(words[3:6])),
            "a part of a word": search(words[44][1:-1]),
            "two letters that few mails have": search("qj"),
            "two letters that many mails have": search(words[0][:2]),
            "one letter": search(words[0][:1]),
            "a sender": search("", "person17@"),
            "a sender and a frequent word": search(words[1], "person17@"),
            "a word and all senders": search("needle", "example"),
        }

        def look_through() -> int:
            return sum("needle" in text for text in texts)

        best = interleaved([look_through, *searches.values()], runs)
        size = sum(each.stat().st_size for each in file.parent.iterdir()) / 1e6
        rows = [
            Row(name, run(), round(seconds * 1_000, 3), round(seconds / best[0], 4))
            for (name, run), seconds in zip(searches.items(), best[1:], strict=True)
        ]
        index.close()
        return rows, round(size, 1)


def _vocabulary() -> list[str]:
    """Words, the frequent ones first and shortest."""
    chance = random.Random(7)
    return ["".join(chance.choices(_LETTERS, k=3 + at % 8)) for at in range(_WORDS)]


def _filled(index: Index, mails: int) -> Iterator[str]:
    """Puts the mails into the index, a hundred at a time; gives their folded texts."""
    chance, words = random.Random(8), _vocabulary()
    weights = [1 / (rank + 3) for rank in range(_WORDS)]
    made = 0
    while made < mails:
        with index.change():
            for number in range(made, min(made + 100, mails)):
                arrived = _arrived(number, " ".join(chance.choices(words, weights, k=120)))
                index.add(arrived)
                yield arrived.read.text
        made += 100
    for place in _PLACES:
        index.know(place, Known(1, mails + 1, 1, mails, 0))


def _arrived(number: int, body: str) -> Arrived:
    who = f"person{number % _SENDERS}@example.com"
    more = "needle" if number % 1_000 == 0 else ""
    head = f"From: Person {number % _SENDERS} <{who}>\nTo: me@example.org\nSubject: {body[:40]}\nMessage-ID: {_id(number)}\n"
    raw = f"{head}\n{body} {more}\n".encode()
    message = read_message(raw)
    read = Read(raw, message, None, searched(message), searched_who(message))
    when = _FIRST + timedelta(minutes=number)
    return Arrived(_place(number), number + 1, when, number % 10 == 0, len(raw), f"{number:064x}", read)


def _place(number: int) -> str:
    """One mail in twenty was sent from here, as many were put away."""
    return {1: "Sent", 2: "Archive"}.get(number % 20, "INBOX")


def _id(number: int) -> str:
    """Of what was sent from here the id has a form of its own."""
    return f"<{number:032x}@example.org>" if _place(number) == "Sent" else f"<{number}@example.com>"


if __name__ == "__main__":
    raise SystemExit(main())
