"""bubblewrap around a document's process: namespaces of its own, and of the file system only what Python is loaded from, read-only.

Source: bwrap(1).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

_PLACES = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap")
"""Where it is looked for. What else is called so is none of the system's."""
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


def bubblewrap() -> str | None:
    """Where it is, if it is there. Whether it works on this kernel is tried by `process`."""
    return next((place for place in _PLACES if os.access(place, os.X_OK)), None)


def wrapped(program: str, command: Sequence[str], needed: Sequence[Path], *, ends_itself: bool = False) -> list[str]:
    """The command within it. `needed`: what it is loaded from, beside the system's libraries.

    `ends_itself`: when its input ends. All others end with the thread that started them, which is what the kernel takes for their parent.
    """
    bound = [*_LIBRARIES, *dict.fromkeys(map(str, needed))]
    return [
        program,
        *("--unshare-all", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *(() if ends_itself else ("--die-with-parent",)),
        *("--hostname", "document", "--chdir", "/"),
        *(word for place in bound for word in ("--ro-bind-try", place, place)),
        "--",
        *command,
    ]
