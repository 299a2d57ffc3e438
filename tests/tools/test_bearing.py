"""Names that others gave, where they say which thing is meant."""

from __future__ import annotations

import pytest

from armslength.labels import LITERAL, PRIVATE, SATURATED, Label, Source, construct, join, label, steered
from armslength.tools.bearing import Bearing
from armslength.tools.listing import adding_to

STORE, OTHER = Source("store:files", is_trusted=True), Source("file:b.txt")
FILES = Bearing("file", lambda name: name == "a.txt")
NAME = label([STORE, Source("file:a.txt")], readers=PRIVATE, steer=PRIVATE)
LISTED = label(choice=[STORE, adding_to("file")], bits=SATURATED)


@pytest.mark.parametrize("written", [NAME, steered(NAME, LISTED), join(NAME, LITERAL)])
def test_the_very_name_of_a_thing_is_a_pick_among_those_that_are_there(written: Label) -> None:
    """What the bearer wrote is no data any more; all who can add a thing chose which."""
    picked = FILES.picked(written, "a.txt")
    assert picked.is_chosen
    assert picked.data == written.data - {Source("file:a.txt")}
    assert picked.choice == written.choice | {adding_to("file")}
    assert (picked.readers, picked.steer, picked.intact) == (written.readers, written.steer, True)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (NAME, "b.txt"),
        (label([STORE, Source("file:a.txt"), OTHER]), "a.txt"),
        (label([Source("mail:unverified")]), "a.txt"),
        (LITERAL, "a.txt"),
    ],
)
def test_any_other_text_stays_what_it_is(written: Label, name: str) -> None:
    """Another's name, words of several, a mail's words, and what the program says itself."""
    assert FILES.picked(written, name) is written


def test_what_is_made_of_a_name_is_not_chosen() -> None:
    """A name that was put together again is spelled by all who can add one."""
    assert not FILES.picked(construct(NAME, LITERAL), "a.txt").is_chosen


def test_before_a_run_a_listed_name_is_taken_for_a_things_own() -> None:
    """What it is, nobody knows by then."""
    usual = label([STORE, FILES.usually], readers=PRIVATE)
    assert FILES.usually_picked(usual).is_chosen
    assert not FILES.usually_picked(label([STORE, Source("file:*")])).is_chosen
