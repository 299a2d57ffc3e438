"""The labels of a message's fields (design, "Where labels start").

What the store itself knows is trusted and chosen at most; what people wrote is theirs. A message is readable by the user, and by its other
parties only if its sender is authenticated. What we wrote has the ledger's label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from armslength.events import Trust
from armslength.labels import MAILBOX, NOTHING, PRIVATE, PUBLIC, Label, Readers, Source, join, label, steered
from armslength.schema import BOOL, STR, Field, ListOf, RecordType
from armslength.tools.claims import claim, no_words
from armslength.tools.ledger import Ledger, knowing, read_back
from armslength.tools.listing import Listing, listing_among, steered_by
from armslength.tools.mail.accounts import Accounts
from armslength.tools.mail.catalogue import Looked
from armslength.tools.mail.seen import Seen
from armslength.tools.usual import Usual, somebody
from armslength.values import Labelled, Plain

STORE = Source("store:mail", is_trusted=True)
"""What the mailbox knows by itself: ids, folders, flags, delivery times, verified senders."""
UNVERIFIED = Source("mail:unverified")
"""Whoever can put a message into the mailbox. Never trusted, whatever the configuration says of addresses."""
DELIVERY = Source(MAILBOX)
"""All who can put a message into the mailbox, as far as that decides what a listing holds and in which order: each adds his own, and moves
others along. Nobody's words. Never trusted.
"""
EVERYBODY = Source("mail:*")
"""All verified senders in the mailbox at once, where each of them decided a little: a mailbox has thousands. Never trusted."""

FAILS_BY = (STORE, UNVERIFIED, no_words("mail"))
"""Who decides what lies in the mailbox at all: whoever can put a message there."""

EMAIL = RecordType(
    "Email",
    (
        Field("id", STR),
        Field("sender", STR, doc="an email address"),
        Field("sender_name", STR),
        Field("recipients", ListOf(STR)),
        Field("subject", STR),
        Field("body", STR),
        Field("timestamp", STR),
        Field("is_unread", BOOL),
        Field("folder", STR),
        Field("attachments", ListOf(STR)),
    ),
)
"""A message as programs see it. `timestamp` is the time of delivery, "YYYY-MM-DD HH:MM" in the time zone of the run's clock."""

KNOWN = label([STORE], readers=PRIVATE)
"""What the store knows: trusted, private to read, its steer public."""
_EVERYBODY, _DELIVERED = label([EVERYBODY]), label([DELIVERY])
ANYBODY = claim("mail", "")
"""Of a mail that may be anybody's, as far as it says."""
_UNCHECKED = label([ANYBODY])
"""Words of mail were looked through that nobody verified."""
_MOVED = "moved"
_MOST_NAMED, _UNREADABLE = 8, "unreadable address"


@dataclass(frozen=True, slots=True)
class FieldLabels:
    """The labels of a message: `known` by the store, its `folder`, `sender` and `recipients`, and all else that people wrote."""

    known: Label
    folder: Label
    sender: Label
    recipients: Label
    content: Label


class MailLabels:
    """Labels messages of all accounts by configuration (`trust`) and ledger."""

    def __init__(self, accounts: Accounts, trust: Trust, ledger_path: Path) -> None:
        """`ledger_path`: the JSON file with the labels of what we wrote."""
        self._accounts = accounts
        self.trust = knowing(trust, STORE, UNVERIFIED, DELIVERY, EVERYBODY)
        self.ledger = Ledger(ledger_path, self.trust)
        self._moves = Ledger(ledger_path.with_name("mail-moves.ledger.json"), self.trust)

    def of(self, seen: Seen, ours: frozenset[str] | None = None) -> FieldLabels:
        """The labels of a message's fields. `ours`: the ledger's names, if they were read already."""
        said = claim("mail", seen.message.from_address)
        content = sender = unverified = label([UNVERIFIED, *_claims(seen)], readers=PRIVATE)
        if seen.is_verified:
            parties = readers_of(seen)
            unverified = label([UNVERIFIED, ANYBODY], readers=PRIVATE)
            content = label([self.trust(f"mail:{seen.message.from_address.lower()}")], readers=parties)
            sender = label([STORE, said], readers=parties)
        recipients = KNOWN if self._accounts.is_sent_by_user(seen) else content if seen.is_whole else unverified
        if seen.message.message_id in (self.ledger.names() if ours is None else ours):
            content, sender, recipients = (self._written(seen, each) for each in (content, sender, recipients))
        return FieldLabels(KNOWN, steered(KNOWN, self._moved()), sender, recipients, content)

    def move(self, which: Label) -> None:
        """A message is about to be moved by our tools. Whoever steered that, `which` says, steers what lies where, for good."""
        gain = steered_by(which, STORE)
        with self._moves.alone():
            before = self._moves.label_of(_MOVED, b"", NOTHING)
            if (both := join(before, gain)) is not before:
                self._moves.record(_MOVED, b"", both)

    def _moved(self) -> Label:
        """What all moves together add to what is picked by where messages lie; nothing if all were trusted and public."""
        return steered_by(read_back(self._moves.label_of(_MOVED, b"", NOTHING), STORE), STORE)

    def picked_by_store(self) -> Listing:
        """What a listing by folder and time adds: whoever writes into the mailbox steers which message stands where."""
        return self._among({_DELIVERED}, PUBLIC)

    def picked(self, looked: Iterable[Looked], steer: Readers) -> Listing:
        """What a listing adds if words in the messages that were looked through, found or not, decided what stands in it.

        Of messages that we wrote the content is not read: the ledger's label is joined with the default, as if it had been changed.
        """
        searched = {_DELIVERED, _UNCHECKED}
        for each in looked:
            if each.has_verified:
                searched.add(_EVERYBODY)
            searched |= {self._ever_written(message_id) for message_id in each.ours}
        return self._among(searched, steer)

    def linked(self, looked: Looked, found: Iterable[Seen]) -> Listing:
        """What a conversation adds: headers that the writers of those found wrote named the others, so each of them chose among all."""
        gain = self.picked([looked], PRIVATE).gain
        ours = self.ledger.names()
        return listing_among(
            STORE, [gain, *(each for seen in found for each in self._heads(seen, ours))], steer=PRIVATE
        )

    def _heads(self, seen: Seen, ours: frozenset[str]) -> Iterator[Label]:
        """Who wrote which mails a message follows: its writer, and whoever passed it on where the writer did not sign that."""
        yield self.of(seen, ours).content
        if seen.is_verified and not seen.is_whole:
            yield label([UNVERIFIED, ANYBODY], readers=PRIVATE)

    def _among(self, searched: set[Label], steer: Readers) -> Listing:
        moved = self._moved()
        return listing_among(STORE, searched | {moved}, steer=steer.intersect(moved.steer))

    def _ever_written(self, message_id: str) -> Label:
        return read_back(self.ledger.label_of(message_id, b"", label([UNVERIFIED, ANYBODY])), STORE)

    def _written(self, seen: Seen, default: Label) -> Label:
        raw = self._accounts.raw(seen)
        return read_back(self.ledger.label_of(seen.message.message_id, raw, default), STORE)

    def email(
        self, seen: Seen, zone: tzinfo | None, pick: Label = NOTHING, ours: frozenset[str] | None = None
    ) -> Labelled:
        """The record of a message. `pick` is what a listing adds to each of its labels."""
        found = self.of(seen, ours)
        known, content = steered(found.known, pick), steered(found.content, pick)
        message, entry = seen.message, seen.entry
        return Labelled(
            {
                "id": Labelled(seen.id, known),
                "sender": Labelled(message.from_address, steered(found.sender, pick)),
                "sender_name": Labelled(message.from_name, content),
                "recipients": _strings(seen.recipients, steered(found.recipients, pick)),
                "subject": Labelled(message.subject, content),
                "body": Labelled(message.body, content),
                "timestamp": Labelled(local_time(entry.delivered, zone), known),
                "is_unread": Labelled(entry.is_unread, known),
                "folder": Labelled(entry.folder, steered(found.folder, pick)),
                "attachments": _strings(seen.attachment_names, content),
            },
            known,
            EMAIL,
        )

    def listing(self, found: list[Seen], zone: tzinfo | None, pick: Listing) -> Labelled:
        """The list of these messages."""
        ours = self.ledger.names()
        return Labelled(tuple(self.email(seen, zone, pick.gain, ours) for seen in found), pick.shape)


def usual_mail(where: str, pick: Listing | None) -> Usual:
    """The labels of a mail whose sender is verified, as most are. `pick`: what a listing adds."""
    known_as = "the sender of a mail"
    its = label([Source("mail:somebody")], readers=Readers(frozenset({somebody(known_as, where)})))
    gain = NOTHING if pick is None else pick.gain
    known, content = steered(KNOWN, gain), steered(its, gain)
    fields = dict.fromkeys(("sender_name", "recipients", "subject", "body", "attachments"), content)
    fields["sender"] = steered(label([STORE], readers=its.readers), gain)
    return Usual(known, fields, shape=None if pick is None else pick.shape, known_as={"sender": known_as})


def usually_found(args: Mapping[str, Plain], where: str) -> Usual:
    """What a search gives: a listing by folder and time if the program's text says that it looks for nothing."""
    is_listing = args.get("query") == "" and args.get("sender") == ""
    searched = [_DELIVERED] if is_listing else [_DELIVERED, _EVERYBODY]
    steer = PUBLIC if args.get("query") == "" else PRIVATE
    return usual_mail(where, listing_among(STORE, searched, steer=steer))


def usually_read(_args: Mapping[str, Plain], where: str) -> Usual:
    """One mail."""
    return usual_mail(where, None)


def usual_thread(_args: Mapping[str, Plain], where: str) -> Usual:
    """A conversation: which mails belong to it stands in headers that people wrote."""
    return usual_mail(where, listing_among(STORE, [_DELIVERED, _EVERYBODY], steer=PRIVATE))


def _claims(seen: Seen) -> set[Source]:
    """Whom a mail names as its writer, and who would get an answer: a list or a forwarder that writes an address of its own puts him there."""
    message = seen.message
    named = [message.from_address, *(each.address for each in message.reply_to)]
    is_clear = len(named) <= _MOST_NAMED and _UNREADABLE not in message.flaws
    return {claim("mail", each) for each in named} if is_clear else {ANYBODY}


def readers_of(seen: Seen) -> Readers:
    """The parties of a message, in lower case: its sender and all it is addressed to, as far as that is the sender's word."""
    message = seen.message
    addressed = (*message.to, *message.cc) if seen.is_whole or not seen.is_verified else ()
    named = [message.from_address, *(each.address for each in addressed)]
    return Readers(frozenset(address.lower() for address in named if address))


def local_time(moment: datetime, zone: tzinfo | None) -> str:
    """A moment as programs see it, in `zone` (None: this machine's)."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def _strings(texts: tuple[str, ...], one_label: Label) -> Labelled:
    return Labelled(tuple(Labelled(text, one_label) for text in texts), one_label)
