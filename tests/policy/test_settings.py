"""Groups and clearances: a source that stands for many is in a group if any may be, and cleared only if all are."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.policy.making import ACTIONS, KIM, LABELS, STRICTNESS, act, content, decide

from armslength.labels import LITERAL, PRIVATE, Label, Readers, Source, label
from armslength.policy.engine import Action, Clearance, Group, PolicySettings
from armslength.policy.facts import strangers

EVERYBODY = Source("mail:*")
GROUPS = (Group("work", ("*@work.example", "file:*")), Group("slack", ("slack:#*",)))
SAID = PolicySettings(groups=GROUPS)


def of(*names: str) -> Label:
    return label([Source(name) for name in names])


@pytest.mark.parametrize(
    ("names", "touched", "around"),
    [
        (["mail:Kim@Work.example"], ["work"], ["work"]),
        (["web:a.work.example"], [], []),
        (["web:x@work.example"], [], []),
        (["web:evil.example/@work.example"], [], []),
        (["file:x@work.example"], ["work"], ["work"]),
        (["mcp:a/b@work.example"], [], []),
        (["calendar:x@work.example"], [], []),
        (["file:a.md", "mail:kim@work.example"], ["work"], ["work"]),
        (["file:a.md", "mail:kim@home.example"], ["work"], []),
        (["mail:*"], ["work"], []),
        (["mail:unverified"], [], []),
        (["user", "program"], [], ["work", "slack", "this-machine-only"]),
        (["user", "file:a.md"], ["work"], ["work"]),
        (["quarantined", "file:a.md"], ["work"], []),
    ],
)
def test_groups_of_sources(names: list[str], touched: list[str], around: list[str]) -> None:
    """`groups` if any may be a member, `only_groups` if each is for certain; the user and the program are in nobody's way."""
    assert (SAID.groups_touched(of(*names)), SAID.groups_around(of(*names))) == (touched, around)


def test_choice_counts_as_data_does() -> None:
    """Whoever picked it is one of its sources."""
    picked = label([Source("file:a.md")], choice=[EVERYBODY], bits=3)
    assert (SAID.groups_touched(picked), SAID.groups_around(picked)) == (["work"], [])


def test_what_stays_here_is_a_group() -> None:
    """Of the name that the shipped rules use; everybody's mail is in it if anybody's is."""
    said = PolicySettings(this_machine_only=("mail:*@bank.example",))
    assert said.groups_touched(label([EVERYBODY])) == ["this-machine-only"]
    assert said.groups_touched(of("mail:kim@home.example")) == []


@pytest.mark.parametrize(
    ("receivers", "reached", "all_in"),
    [
        (("kim@work.example",), ["work"], ["work"]),
        (("kim@work.example", "eva@home.example"), ["work"], []),
        (("slack:#general",), ["slack"], ["slack"]),
        ((), [], ["work", "slack"]),
    ],
)
def test_groups_of_receivers(receivers: tuple[str, ...], reached: list[str], all_in: list[str]) -> None:
    """Some, and all of them."""
    assert (SAID.groups_reached(receivers), SAID.groups_all_in(receivers)) == (reached, all_in)


CLEARED = PolicySettings(
    may_learn=(Clearance(("kim@b.example", "*.weather.example"), ("calendar:*", "store:calendar")),)
)


@pytest.mark.parametrize(
    ("receiver", "names", "is_cleared"),
    [
        ("kim@b.example", ["calendar:ada@x.example"], True),
        ("Kim@B.example", ["calendar:ada@x.example", "store:calendar", "program", "clock"], True),
        ("api.weather.example", ["calendar:*"], True),
        ("kim@b.example", ["calendar:x", "file:a.md"], False),
        ("kim@b.example", ["calendar:x", "user"], False),
        ("eve@c.example", ["calendar:x"], False),
        ("kim@b.example", ["program"], False),
        ("kim@b.example", [], False),
        ("kim@b.example", ["mail:*"], False),
    ],
)
def test_a_receiver_may_learn_what_comes_of_nothing_else(receiver: str, names: list[str], *, is_cleared: bool) -> None:
    """Each source has to be one of those; what has none is nobody's to clear."""
    assert CLEARED.is_cleared(receiver, of(*names)) is is_cleared


def test_another_file_of_nearly_that_name_is_not_cleared() -> None:
    """Case is another file; of an address it is the same one. What the mailbox lists is cleared by a pattern of all mail."""
    cleared = PolicySettings(may_learn=(Clearance(("kim@b.example",), ("file:Plan.txt", "mail:*")),))
    named = {"file:Plan.txt": True, "file:plan.txt": False, "mail:Kim@b.example": True, "mailbox:*": True}
    assert {name: cleared.is_cleared("kim@b.example", of(name)) for name in named} == named


def test_whoever_adds_to_a_store_is_anybody_who_writes_there() -> None:
    """What a listing of it gives is kept back by a pattern of any writer, and cleared by a pattern of them all alone."""
    listed = of("listed:slack:*")
    for pattern, is_one, is_all in (("slack:Bob", True, False), ("slack:*", True, True), ("mail:*", False, False)):
        assert PolicySettings(this_machine_only=(pattern,)).is_confined(listed) is is_one
        cleared = PolicySettings(may_learn=(Clearance(("kim@b.example",), (pattern,)),))
        assert cleared.is_cleared("kim@b.example", listed) is is_all


def test_everybodys_mail_is_cleared_only_by_a_pattern_of_it_all() -> None:
    """The mail of one sender is not that of everybody."""
    for pattern, is_cleared in (
        ("mail:*", True),
        ("*", True),
        ("m*", True),
        ("mail:*@b.example", False),
        ("mail:?", False),
        ("mail:[*]", False),
    ):
        said = PolicySettings(may_learn=(Clearance(("kim@b.example",), (pattern,)),))
        assert said.is_cleared("kim@b.example", label([EVERYBODY])) is is_cleared


def test_who_steered_is_cleared_too() -> None:
    """A meeting picked by everybody's mail tells of that mail."""
    meeting = label([Source("calendar:x", is_trusted=True)], readers=PRIVATE, steer=PRIVATE)
    picked = label(meeting.data, choice=[EVERYBODY], bits=2, readers=PRIVATE, steer=PRIVATE)
    assert decide(act(content(meeting), receivers=("kim@b.example",)), CLEARED).verdict == "allow"
    assert [reason.rule for reason in decide(act(content(picked), receivers=("kim@b.example",)), CLEARED).reasons] == [
        "not-a-reader",
        "steer-not-readable",
    ]
    assert [
        reason.rule for reason in decide(act(content(meeting), receivers=("kim@b.example",)), PolicySettings()).reasons
    ] == ["not-a-reader", "steer-not-readable"]


def test_only_those_who_are_not_cleared_are_named() -> None:
    """As strangers, in the reason on the screen."""
    meeting = label([Source("calendar:x", is_trusted=True)], readers=PRIVATE)
    action = act(content(meeting), receivers=("kim@b.example", "eve@c.example"))
    assert strangers(action, meeting, CLEARED) == ["eve@c.example"]
    assert decide(action, CLEARED).reasons[0].text == "body holds what eve@c.example was not a reader of so far"


def test_what_stays_here_is_cleared_for_nobody() -> None:
    """A denial comes first."""
    said = PolicySettings(this_machine_only=("calendar:*",), may_learn=CLEARED.may_learn)
    assert decide(act(content(of("calendar:x")), receivers=("kim@b.example",)), said).verdict == "deny"


def test_readers_of_a_label_stay() -> None:
    """A clearance adds to them."""
    both = label([Source("calendar:x", is_trusted=True)], readers=Readers(KIM.names or frozenset()))
    assert decide(act(content(both), receivers=("kim@b.example", "api.weather.example")), CLEARED).verdict == "allow"
    assert decide(act(content(LITERAL), receivers=("eve@c.example",)), CLEARED).verdict == "allow"


@given(ACTIONS, LABELS)
def test_a_clearance_only_takes_away_what_it_is_about(action: Action, other: Label) -> None:
    """It never makes a decision stricter, and takes no reason away but that somebody may not learn something."""
    said = PolicySettings(may_learn=(Clearance(("*",), tuple(source.name for source in other.data)),))
    before, after = decide(action, PolicySettings()), decide(action, said)
    assert STRICTNESS[after.verdict] <= STRICTNESS[before.verdict]
    gone = {reason.rule for reason in before.reasons} - {reason.rule for reason in after.reasons}
    private = {"private-to-a-stranger", "private-to-a-look-alike", "chosen-by-its-receiver", "link-made-of-several"}
    assert gone <= {"not-a-reader", "steer-not-readable"} | private
