"""An address book on a server (CardDAV, RFC 6352), read only.

It vouches for its entries like the files of the person's own: one that others write into, or that a server fills by itself, is none.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from armslength.tools.dav.collection import Collection
from armslength.tools.dav.connection import Connection
from armslength.tools.dav.discovery import chosen
from armslength.tools.dav.settings import DavSettings


class ServedBook:
    """The one address book that the settings mean. It is found at the first use, and brought up to date at each."""

    def __init__(self, settings: DavSettings, state: Path) -> None:
        """`state`: the folder of local copies. Nothing is contacted yet.

        Raises:
            ConfigError: the settings cannot be used.
        """
        self._connection, self._state = Connection(settings), state
        self._lock = threading.Lock()
        self._found: Collection | None = None

    def texts(self) -> Iterable[tuple[str, bytes]]:
        """The cards that lie there now, by their paths on the server.

        Raises:
            ToolError: the server cannot be asked, or has several address books and the settings name none.
        """
        return [(item.path, item.content) for item in self._book().listed().items]

    def _book(self) -> Collection:
        with self._lock:
            if self._found is None:
                found = chosen(self._connection, "addressbook")
                if len(found) > 1:
                    name = self._connection.name
                    raise self._connection.failed(
                        f"the account has {len(found)} address books, and one that others write into vouches for nobody; "
                        f"name your own in {name}.collection, or write its address in {name}.url"
                    )
                self._found = Collection(self._connection, "addressbook", found[0], self._state)
            return self._found
