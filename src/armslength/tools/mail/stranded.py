"""Mail that waits for an account that is configured no more, as after it was renamed: nothing sends it, and nobody is asked about it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from armslength.tools.mail.dispatches import dispatches_in
from armslength.tools.mail.mailbox import INBOX
from armslength.tools.mail.maildir import Maildir

_PLACE = re.compile(r"mail-([a-z][a-z0-9_-]{0,29})\.index\.waiting")
UNNAMED = "only"
"""How the account that has no name is called in our folder, so that no other may be called so."""


@dataclass(frozen=True, slots=True)
class Stranded:
    """What waits for one account. `account`: its name, empty for one without. `messages` lie in `place`; `noted` were on their way."""

    account: str
    place: Path
    messages: int
    noted: int

    @property
    def said(self) -> str:
        """In a line, where it lies."""
        counted = []
        if self.messages:
            counted.append(f"{_mails(self.messages)} in {self.place}")
        if self.noted:
            counted.append(f"{_mails(self.noted)} held, or without a copy among the sent mail")
        return f"{self._called} is not configured, and mail of it waits: {', '.join(counted)}"

    @property
    def do(self) -> str:
        """What can be done."""
        back = (
            f"call the account {self.account} again, as [mail.{self.account}]"
            if self.account
            else "let [mail] be the account again"
        )
        out = f"; or take the mails out of {self.place}, which is a Maildir, and remove it" if self.messages else ""
        return f"{back}, and send or recall what waits before you rename it{out}"

    @property
    def _called(self) -> str:
        return f"the account {self.account}" if self.account else "an account without a name"


def stranded(state: Path, configured: Collection[str]) -> list[Stranded]:
    """What waits for each account but those of these names, by name. `state`: our folder.

    Raises:
        ToolError: it cannot be looked at.
    """
    noted = {name: count for name, count in dispatches_in(state).waiting().items() if name not in configured}
    places = {
        _named(found[1]): path for path in state.glob("mail-*.index.waiting") if (found := _PLACE.fullmatch(path.name))
    }
    lying = {name: _count(path) for name, path in places.items() if name not in configured}
    return [
        Stranded(name, places.get(name, state), lying.get(name, 0), noted.get(name, 0))
        for name in sorted({*noted, *(name for name, count in lying.items() if count)})
    ]


def _named(called: str) -> str:
    return "" if called == UNNAMED else called


def _count(place: Path) -> int:
    """The messages in its folders. The inbox of such a Maildir is empty; it is there so that the folders are."""
    maildir = Maildir(place)
    return sum(len(maildir.entries(folder)) for folder in maildir.folders() if folder != INBOX)


def _mails(count: int) -> str:
    return f"{count:,} mail{'s' * (count != 1)}"
