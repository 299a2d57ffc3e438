"""Which kind of mailbox lies at a place."""

from __future__ import annotations

from pathlib import Path

from armslength.errors import ToolError
from armslength.tools.mail.mailbox import MOST_BYTES, Mailbox
from armslength.tools.mail.maildir import Maildir, is_maildir_home
from armslength.tools.mail.mbox import Mbox, is_mbox


def open_mailbox(path: Path, own_folders: Path | None = None, most_bytes: int = MOST_BYTES) -> Mailbox:
    """The mailbox at `path`: a Maildir, a folder of Maildirs, or an mbox file (read only).

    `own_folders`: a Maildir beside an mbox file, for outbox, drafts and the like.

    Raises:
        ToolError: there is neither, or it cannot be read.
    """
    try:
        root = path.expanduser().resolve(strict=True)
        if is_maildir_home(root):
            return Maildir(root, most_bytes)
        if is_mbox(root):
            own = None if own_folders is None else Maildir(own_folders.expanduser().resolve(), most_bytes)
            return Mbox(root, own, most_bytes)
    except OSError as error:
        raise ToolError(
            f"mailbox {path}: {error.strerror}; name a Maildir or an mbox file that you can read"
        ) from error
    raise ToolError(
        f"mailbox {path}: neither a Maildir nor an mbox file; name a folder with cur, new and tmp, or a file"
    )
