"""Names of tools and parameters in programs, made of a server's by one rule: what would be two things' name is nobody's."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping

SERVER_NAME = re.compile(r"[a-z][a-z0-9]{0,30}")
"""No hyphen and no `_`, so the part before the first `_` of a tool's name is its server's, and no two servers share a name."""
LONGEST = 48
"""Characters of a name; longer ones are sentences."""
RESERVED = frozenset({
    "accept", "add", "answer", "append", "archive", "bcc", "book", "cancel", "change", "copy", "count", "create", "decline", "delete",
    "describe", "draft", "edit", "fetch", "file", "find", "forget", "forward", "get", "hold", "invite", "label", "list", "look", "make",
    "mark", "move", "note", "open", "pay", "post", "print", "put", "quarantined", "quote", "read", "recall", "remember", "remove", "rename",
    "reply", "respond", "reveal", "save", "schedule", "search", "send", "set", "share", "show", "star", "store", "summarize", "tell",
    "translate", "trash", "undo", "unstar", "update", "upload", "write",
})  # fmt: skip
"""Words that tools of our own begin with, or may: a server that is called so could give its tools their names."""


def is_server_name(name: str) -> bool:
    """Whether a server may be called so."""
    return SERVER_NAME.fullmatch(name) is not None and name not in RESERVED and not keyword.iskeyword(name)


def plain_name(said: str) -> str | None:
    """The identifier for a name that a server gives, in lower case: letters and digits of ASCII, and `_` for what stands between them.

    None where there is none: too long, or with a blank or anything else that no name has.
    """
    if not re.fullmatch(r"[A-Za-z0-9_./:@-]+", said) or len(said) > LONGEST:
        return None
    return re.sub(r"[^a-z0-9]+", "_", said.lower()).strip("_") or None


def parameter_name(said: str) -> str | None:
    """The name of a parameter: as it is where it is an identifier, else made like one. Keywords get a `_` behind them."""
    made = said if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", said) and len(said) <= LONGEST else plain_name(said)
    if made is None or made[0].isdigit() or made.startswith("__"):
        return None
    return f"{made}_" if keyword.iskeyword(made) else made


def unique(names: Mapping[str, str | None]) -> dict[str, str]:
    """Those that are nobody else's: of two that would have one name, neither has it."""
    count = Counter(made for made in names.values() if made is not None)
    return {said: made for said, made in names.items() if made is not None and count[made] == 1}


def program_names(server: str, tools: Iterable[str]) -> dict[str, str]:
    """The names in programs of a server's tools, by their own. A tool that is missing has none: no identifier, or one that another has."""
    made = {said: plain_name(said) for said in tools}
    return {said: f"{server}_{name}" for said, name in unique(made).items()}
