"""What a rule may let go although its label does not: things that the program itself names, and steering, counted in bits.

*Named*: which one it is, the program's own words say, and the order in which the stores list things. Whoever can add to a store adds his own
and moves others along; nobody's words were compared, and no model was asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from armslength.labels import QUARANTINED, SATURATED, Label, Source, listed_by, made_of
from armslength.policy.action import UNCOUNTED, Action, Argument

EVERYBODY = "mail:*"
"""All whose mails a search looked through."""
PICK = 8
"""Bits that picking a whole stored thing counts as, however many there are."""
_NOBODYS = ("user", "program", "clock")
_MAIL = "mail"
_SERVER, _DOUBT = "mcp", "tool"
"""Kinds of sources: what a server's tool gives, and whether a tool works."""
ADDRESS_BOOK = "store:contacts"
_OF_STORE = "store:"
_CONVERSED = frozenset({"web", "slack"})
"""Kinds of sources of pages, and of what several say in one place."""
_GIVEN_BACK = frozenset({"store:files", "store:memory"})
"""Stores that give back what was written by this program; what others wrote or named has its own source there."""


def is_exact(label: Label) -> bool:
    """The program's words alone say which it is, nothing else had a say; what others wrote in it is all of one source, and no model's."""
    return not _untrusted(label.choice) and len(_untrusted(label.data)) <= 1 and QUARANTINED not in label.data


def is_exact_file(label: Label) -> bool:
    """Like `is_exact`, and what others wrote in it is a file's: a page, a paste or what some tool says is named by whoever wrote it, too."""
    return is_exact(label) and _kinds(_untrusted(label.data)) <= {"file"}


def is_named(label: Label) -> bool:
    """Like `is_exact`, or a thing, or what it says, out of a listing of the very store in which it lies. By such a listing nothing else is named."""
    if is_exact(label):
        return True
    if QUARANTINED in label.data or is_mixed(label):
        return False
    return len(_kinds(label.data)) == 1 and _listing(_untrusted(label.choice)) <= _kinds(label.data)


def is_target_named(argument: Argument, action: Action) -> bool:
    """Whether a target is named. Out of a listing of another store than the mailbox only if the user dealt with each receiver before.

    Who writes a mail is answered; who pays, or calls an event what the user calls his, is not paid for that, or told of it.
    """
    if not is_named(argument.picked):
        return False
    return is_exact(argument.picked) or _kinds(argument.picked.data) == {_MAIL} or action.are_known


def is_said(label: Label) -> bool:
    """It is of the program's own words, and nothing but them decided which."""
    return {source.name for source in label.data | label.choice} <= {*_NOBODYS}


def is_happening_named(control: Label) -> bool:
    """Whether it happens, the program's words alone decided, and what the stores list."""
    return None not in _listing(_untrusted(control.data | control.choice))


def is_chosen(argument: Argument, control: Label) -> bool:
    """Nobody untrusted wrote it, or spelled it by choices. Bits of what is private and trusted are no words of others."""
    return argument.label.is_chosen or (argument.picked.is_trusted and made_of(control).is_chosen)


def is_own(label: Label) -> bool:
    """The user or the program wrote it, or somebody whose words the configuration trusts as the user's.

    What a store knows (who sent a mail, who is in the address book) others chose to be called.
    """
    return all(
        source.is_trusted and (source.name in {*_NOBODYS} | _GIVEN_BACK or not source.name.startswith(_OF_STORE))
        for source in label.data
    )


def is_mixed(label: Label) -> bool:
    """Words of several people may be in it, beside those of the quarantined model. Who only had a part in a listing wrote none."""
    return len(_writers(label)) > 1


def is_of_several(label: Label) -> bool:
    """Words of one source may carry those of another: like `is_mixed`, where what is trusted, but not everybody's, counts as well.

    That a store gave something back is no source, but the address book's entries are its own words.
    """
    return bool(_writers(label)) and len(_authors(label)) > 1


def spliced(action: Action) -> list[Label]:
    """What the targets together carry of one to another: of all that is put into them and was not picked whole, as long as it is of several.

    Words of one that say whom he means (an address that a mail names, a page's) are of one. What was picked whole out of a store (an address,
    an id) says which it is and nothing else. Whose words were compared to find something passes for having written in it, so what is of pages and
    conversations alone, where a link is found so, is left to a question.
    """
    targets = (each for each in action.arguments if each.role == "target")
    made = [part for each in targets for part in each.parts or (each.picked,) if not (part.intact and part.is_chosen)]
    writers, authors = _all(map(_writers, made)), _all(map(_authors, made))
    is_of_conversations = all(each.partition(":")[0] in _CONVERSED for each in authors)
    return made if writers and len(authors) > 1 and not is_of_conversations else []


def _all(sets: Iterable[set[str]]) -> set[str]:
    return set[str]().union(*sets)


def _authors(label: Label) -> set[str]:
    """Whose words may be in it, the quarantined model aside, also those that are trusted, but not everybody's."""
    trusted = {source.name for source in label.data if source.is_trusted} - {*_NOBODYS}
    return _writers(label) | {name for name in trusted if name == ADDRESS_BOOK or not name.startswith(_OF_STORE)}


def _writers(label: Label) -> set[str]:
    written = _untrusted(label.data) - {QUARANTINED}
    return {source.name for source in written if None in _listing([source])}


def receivers_chose(label: Label, receivers: Iterable[str], *, are_vouched: bool) -> bool:
    """Whether somebody who gets it had a say in which it is. A sender whom nobody vouches for may be any of them.

    A receiver is named like a source (`slack:Bob`) or without its kind: an address of mail, a page's host, an account. Words of a tool of a
    server (`mcp:desk/search`) are the server's. Whoever may be anybody may be each who has an address, if a model that read his words picked
    what lies in another store than they do: of one's mails, or events, each picks his own as well.
    """
    choosing, told = _untrusted(label.choice), {each.casefold() for each in receivers}
    if choosing and not are_vouched:
        return True
    if not all(told.isdisjoint(_receiving(source.name.casefold())) for source in choosing):
        return True
    picked = _kinds(label.data - {QUARANTINED})
    is_from_elsewhere = any(picked - _kinds([each]) for each in choosing if _may_be_anybody(each))
    return QUARANTINED in choosing and is_from_elsewhere and any("@" in each for each in told)


def _receiving(name: str) -> set[str]:
    """The names by which whoever is called so as a source may be a receiver."""
    kind, _, rest = name.partition(":")
    return {name, f"{kind}:{rest.partition('/')[0]}"} if kind == _SERVER else {name, rest}


def _may_be_anybody(source: Source) -> bool:
    """Whether it is the word of nobody in particular: `STORE:unverified`, what a server's tool gives, a text that the user handed over.

    Who only had a part in a listing, or in whether a tool works, said nothing.
    """
    kind, _, name = source.name.partition(":")
    if source == QUARANTINED or kind == _DOUBT or name == "*" or None not in _listing([source]):
        return False
    return name in ("", "unverified") or kind == _SERVER


def argument_bits(action: Action) -> int:
    """What the receivers learn of what steered the arguments, although they may not. Whether it happens is counted apart."""
    return sum(_bits(argument.picked, action) for argument in action.arguments)


def is_steer_hidden(label: Label, action: Action) -> bool:
    """Whether some receiver may not learn what steered something of this label."""
    return label.steer.names is not None and not all(label.steer.includes(name) for name in action.receivers or ())


def _bits(label: Label, action: Action) -> int:
    """Bits beyond those that are counted are more than any budget, but for a thing picked whole out of a store."""
    if not is_steer_hidden(label, action):
        return 0
    if not label.choice:
        return 0  # nothing decided which it is
    if label.bits < SATURATED:
        return max(label.bits, 1)
    is_stored = bool(_kinds(label.data))
    return PICK if is_stored else UNCOUNTED


def _untrusted(sources: Iterable[Source]) -> set[Source]:
    return {source for source in sources if not source.is_trusted}


def _listing(sources: Iterable[Source]) -> set[str | None]:
    """Of which stores these add to the listings. None stands for those who did more: wrote something, or compared it."""
    return {_MAIL if source.name == EVERYBODY else listed_by(source) for source in sources}


def _kinds(sources: Iterable[Source]) -> frozenset[str]:
    """Of which stores something is: `mail` for what lies in the mailbox."""
    stored = [source for source in sources if source.name not in _NOBODYS]
    return frozenset(listed_by(each) or each.name.removeprefix(_OF_STORE).partition(":")[0] for each in stored)
