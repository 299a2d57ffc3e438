"""How an entry is kept, whatever database it is: its bytes, sealed or plain, the hash over them, and its outline.

The hash is over what is stored, so a journal is verified without the key of its contents. The outline is what the list of runs and the
checks of the database need of an entry; it stands readable before what is sealed, and is bound to it.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from armslength.errors import OperatorError
from armslength.store.chain import Chain
from armslength.store.journal import Entry
from armslength.store.runs import state_after
from armslength.store.sealing import SEALED, Contents, Seal

_LENGTH = 4
_SEALED_REQUEST = "\x01"
UNREADABLE = "(encrypted, and its key is not there)"
"""Stands in the list in place of a request."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry as the database has it."""

    number: int
    body: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Outline:
    """What follows from an entry for the run; nothing where it says nothing.

    `request`: as the list keeps it, sealed if the entry is. `used`: the mark of the yes that it uses up, which begins an effect. `is_anew`:
    those that were used up before count no more. `is_answer`: to the question of a screen. `tool`: how a call of one ended, `done` or
    `failed`. `undone`: the marks of effects that were taken back.
    """

    state: str = ""
    ending: str = ""
    request: str = field(default="", repr=False)
    used: str = ""
    is_anew: bool = False
    is_answer: bool = False
    tool: str = ""
    undone: Sequence[str] = ()


NOTHING = Outline()
"""Of most entries."""


@dataclass(frozen=True, slots=True)
class Written:
    """An entry on its way into a database."""

    stored: Stored
    outline: Outline


class Writer:
    """The entries of one run, on their way out and back."""

    def __init__(self, run: str, chain: Chain, contents: Contents) -> None:
        self._run, self._chain, self._contents = run, chain, contents
        self._seal: Seal | None = None

    def write(self, number: int, before: bytes, entry: Entry) -> Written:
        """Entry `number` (from 1) after one with the hash `before`.

        Raises:
            OperatorError: it is to be sealed, and there is no key.
        """
        plain = json.dumps(entry, ensure_ascii=True, sort_keys=True).encode("ascii")
        if self._contents.seals:
            self._seal = self._seal or self._contents.seal(_of(self._run))
            outline = _outline(entry, self._chain, self._sealed_request)
            body = _sealed(plain, number, outline, self._seal)
        else:
            outline, body = _outline(entry, self._chain, None), plain
        return Written(Stored(number, body, self._chain.hash(number, before, body)), outline)

    def entry(self, stored: Stored) -> Entry:
        """The entry that is stored.

        Raises:
            OperatorError: it is damaged, or sealed and the key is not there.
        """
        found = _loaded(self._plain(stored))
        if found is None:
            raise OperatorError(f"the journal {self._run} is damaged in entry {stored.number}")
        return found

    def outline(self, stored: Stored) -> Outline:
        """What the entry says for the run. No key of the contents is needed.

        Raises:
            ValueError: it is none that was written here.
        """
        if stored.body.startswith(SEALED):
            return _outline_of(_parts(stored.body)[0])
        entry = _loaded(stored.body)
        if entry is None:
            raise ValueError("not a stored entry")
        return _outline(entry, self._chain, None)

    def _sealed_request(self, request: str) -> str:
        return Requests(self._contents).kept(self._run, request)

    def _plain(self, stored: Stored) -> bytes:
        if not stored.body.startswith(SEALED):
            return stored.body
        self._seal = self._seal or self._contents.opener(_of(self._run))
        try:
            head, sealed = _parts(stored.body)
        except ValueError:
            return b""
        return self._seal.open(sealed, _about(stored.number, head))


class Requests:
    """The requests of the list: sealed each about its run, all with one seal, so that a long list is read at once."""

    _LIST = "the list of runs"

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._seal: Seal | None = None
        self._is_lost = False

    def kept(self, run: str, request: str) -> str:
        """What the list keeps of it.

        Raises:
            OperatorError: there is no key.
        """
        sealed = self._contents.seal(self._LIST).close(request.encode(), run.encode())
        return _SEALED_REQUEST + b64encode(sealed).decode()

    def shown(self, run: str, kept: str) -> str:
        """The request as the list shows it. Where its key is not there, the list is shown without it."""
        if not kept.startswith(_SEALED_REQUEST):
            return kept
        try:
            if self._seal is None and not self._is_lost:
                self._is_lost = True
                self._seal = self._contents.opener(self._LIST)
            sealed = b64decode(kept[1:], validate=True)
            return UNREADABLE if self._seal is None else self._seal.open(sealed, run.encode()).decode()
        except (ValueError, OperatorError):
            return UNREADABLE


def _of(run: str) -> str:
    return f"the run {run}"


def _outline(entry: Entry, chain: Chain, seal: Callable[[str], str] | None) -> Outline:
    state, ending = state_after(entry) or ("", "")
    match entry:
        case {"entry": "note", "kind": "request"}:
            return Outline(request=_kept_request(entry, seal))
        case {"entry": "note", "kind": "started"}:
            return Outline(used=chain.used(str(entry.get("digest"))))
        case {"entry": "crossing", "kind": "approval"}:
            return Outline(is_answer=True)
        case {"entry": "crossing", "kind": "tool"}:
            return Outline(tool="failed" if "failed" in entry else "done")
        case {"entry": "note", "kind": "undone", "digests": list(digests)}:
            return Outline(undone=[chain.used(str(digest)) for digest in digests])
        case {"entry": "note", "kind": "program"}:  # written only where the one before did nothing, so it begins anew
            return Outline(is_anew=True)
        case _:
            return Outline(state, ending) if state else NOTHING


def _kept_request(entry: Entry, seal: Callable[[str], str] | None) -> str:
    """Halves of characters and the character 0 are no text to a database."""
    text = (
        str(entry.get("text", "")).encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
    )
    if seal is not None:
        return seal(text)
    return text.replace(_SEALED_REQUEST, "\ufffd", 1) if text.startswith(_SEALED_REQUEST) else text


def _sealed(plain: bytes, number: int, outline: Outline, seal: Seal) -> bytes:
    head = b"{}" if outline is NOTHING else _head(outline)
    return SEALED + len(head).to_bytes(_LENGTH, "big") + head + seal.close(plain, _about(number, head))


def _head(outline: Outline) -> bytes:
    said = {name: part for name, part in asdict(outline).items() if part}
    return json.dumps(said, ensure_ascii=True, sort_keys=True).encode("ascii")


def _about(number: int, head: bytes) -> bytes:
    return b"entry" + number.to_bytes(8, "big") + head


def _parts(body: bytes) -> tuple[bytes, bytes]:
    start = len(SEALED) + _LENGTH
    length = int.from_bytes(body[len(SEALED) : start], "big")
    if len(body) < start + length:
        raise ValueError("not a sealed entry")
    return body[start : start + length], body[start + length :]


def _outline_of(head: bytes) -> Outline:
    try:
        return Outline(**json.loads(head))
    except TypeError as error:
        raise ValueError("not an outline") from error


def _loaded(plain: bytes) -> Entry | None:
    try:
        found = json.loads(plain)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
