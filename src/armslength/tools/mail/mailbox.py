"""What a mailbox is to the tools: folders of messages, each known by what the store says of it.

Delivery times and flags come from the store, never from what a message says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

INBOX = "INBOX"
MOST_BYTES = 64 * 1024 * 1024  # of one message that `raw` returns


@dataclass(frozen=True, slots=True)
class Entry:
    """One message as the store knows it: `delivered` in UTC, `size` in bytes.

    The `id` stays when flags change and when the message moves.
    """

    id: str
    folder: str
    delivered: datetime
    is_unread: bool
    size: int


class Mailbox(Protocol):
    """Folders of messages. Every method raises ToolError for what is not there or cannot be done."""

    @property
    def kind(self) -> Literal["maildir", "mbox", "imap"]:
        """How messages are kept apart: by files, only by lines that begin with `From `, or by a server."""
        ...

    def folders(self) -> list[str]:
        """The names of the folders, INBOX first."""
        ...

    def entries(self, folder: str) -> list[Entry]:
        """The messages of a folder, oldest delivery first."""
        ...

    def raw(self, entry: Entry) -> bytes:
        """The message's bytes, at most the mailbox's bound: fewer than `entry.size` says that it was cut. Raises NoLongerThere where it left."""
        ...

    def make_folder(self, name: str) -> None:
        """Makes a folder (a name from the configuration) unless it exists."""
        ...

    def append(self, folder: str, raw: bytes, flags: str = "", key: str = "") -> str:
        """Adds a message and returns its id. Written whole or not at all; with a `key`, once only."""
        ...

    def move(self, entry: Entry, folder: str, flags: str = "") -> Entry:
        """Moves a message, keeping its id and flags, with these flags too. Moving what was moved already changes nothing."""
        ...

    def is_unfinished(self, key: str) -> bool:
        """Whether a message with this key was begun and certainly never added: its process was killed before that."""
        ...


_OURS = re.compile(r"<([0-9a-f]{32})@[^@\s]*>")


def key_of(message_id: str) -> str:
    """The key of a message of ours, by its id; empty for any other."""
    found = _OURS.fullmatch(message_id)
    return found[1] if found else ""
