"""Declaring tools: types, roles, receivers and labels from a function."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

import pytest

from armslength.errors import ConfigError, ToolError
from armslength.labels import NOTHING, PRIVATE, PUBLIC, Label, Source, label
from armslength.schema import (
    ANY,
    BOOL,
    INT,
    NONE,
    STR,
    Field,
    ListOf,
    Menu,
    OptionalOf,
    Parameter,
    RecordType,
    Signature,
)
from armslength.tools.annotations import declared_type, record_type
from armslength.tools.base import NOBODY, UNKNOWN, Receivers, Role, ToolCall, nobody, one_at_a_time, receivers_in, tool
from armslength.values import Labelled, Plain

CALL = ToolCall({}, datetime(2026, 11, 30, tzinfo=UTC))


@dataclass
class Room:
    """A result."""

    name: str
    seats: int = 0


ROOM = RecordType("Room", (Field("name", STR), Field("seats", INT, has_default=True)))


def test_what_is_not_declared_is_read_in_the_strictest_way() -> None:
    """A bare function: parameters of every role, unknown receivers, the world changes, the result is its own untrusted private source."""

    @tool()
    def look(place: str, most: int = 3) -> list[Room]:
        """Rooms at a place.

        More about it.
        """
        return [Room(place, most)]

    own = label([Source("tool:look")], readers=PRIVATE, steer=PRIVATE)
    room = Labelled({"name": Labelled("x", own), "seats": Labelled(2, own)}, own, ROOM)
    assert look.signature == Signature(
        "look",
        (Parameter("place", STR), Parameter("most", INT, has_default=True, default=3)),
        ListOf(ROOM),
        "Rooms at a place.",
    )
    assert look.roles == {"place": Role.UNDECLARED, "most": Role.UNDECLARED}
    assert (look.reads, look.changes, look.undo, look.picks, look.is_effect) == (None, "world", None, False, True)
    assert look.receivers({"place": "x"}) == UNKNOWN
    assert look.run(CALL, {"place": "x", "most": 2}) == Labelled((room,), own)


def test_a_read_is_no_effect_and_a_call_with_receivers_is_one() -> None:
    """Only a tool that changes nothing and tells nobody is free of the policy."""

    @tool(changes=None, receivers=nobody)
    def read() -> str:
        return ""

    @tool(changes=None, receivers=receivers_in("host"))
    def fetch(host: str) -> str:
        return host

    assert (read.is_effect, fetch.is_effect) == (False, True)
    assert read.receivers({}) == NOBODY


def test_receivers_are_lower_case_once_and_in_order() -> None:
    """Lists and single strings are taken; anything else makes the receivers unknown."""
    resolve = receivers_in("to", "cc")

    assert resolve({"to": ["B@x.org", " a@x.org"], "cc": "b@x.org"}) == Receivers(("b@x.org", "a@x.org"))
    assert resolve({"to": ["a@x.org", 1], "cc": "b@x.org"}) == UNKNOWN
    assert resolve({"to": []}) == UNKNOWN


@pytest.mark.parametrize(
    "name", ["\u212aim@x.org", "\u0130d@x.org", "k\u0131m@x.org", "a@x.org\x1c", "a@x.org\n", f"{'a' * 320}@x.org"]
)
def test_receivers_that_lower_case_would_change_are_unknown(name: str) -> None:
    """KELVIN SIGN becomes an ASCII k: who is named would not be who is written to."""
    assert receivers_in("to")({"to": ["b@x.org", name]}) == UNKNOWN


def test_very_many_receivers_are_unknown() -> None:
    """Nobody reads a thousand names; up to a hundred are named."""
    names: list[Plain] = [f"a{number}@x.org" for number in range(101)]
    assert receivers_in("to")({"to": names}) == UNKNOWN
    assert receivers_in("to")({"to": names[:100]}).names == tuple(names[:100])


def test_the_call_is_handed_over_and_is_no_parameter() -> None:
    """A first parameter annotated `ToolCall` gets the labels and the clock."""

    @tool(source=Source("clock", is_trusted=True))
    def when(call: ToolCall, *, shift: bool = False) -> str:
        return f"{call.now:%Y} {shift}"

    assert [parameter.name for parameter in when.signature.parameters] == ["shift"]
    assert when.run(CALL, {"shift": True}) == Labelled(
        "2026 True", label([Source("clock", is_trusted=True)], readers=PRIVATE, steer=PRIVATE)
    )


def test_labelled_results_keep_their_labels() -> None:
    """A tool that labels field by field is believed."""
    given = Labelled("x", label([Source("web:a")], readers=PUBLIC))

    @tool(returns=STR)
    def fetch() -> Labelled:
        return given

    assert fetch.run(CALL, {}) is given


def test_a_result_of_another_type_is_refused() -> None:
    """No host object becomes a value."""

    @tool()
    def bad() -> str:
        return object()  # type: ignore[return-value]

    with pytest.raises(ToolError, match=r"^bad gave a result of another type than it declares$"):
        bad.run(CALL, {})


@pytest.mark.parametrize(
    ("hint", "declared"),
    [
        (str, STR),
        (bool, BOOL),
        (None, NONE),
        (Any, ANY),
        (list[str], ListOf(STR)),
        (int | None, OptionalOf(INT)),
        (Literal["a", "b"], Menu(("a", "b"))),
        (list[Room], ListOf(ROOM)),
    ],
)
def test_annotations_become_declared_types(hint: object, declared: object) -> None:
    """Scalars, lists, optionals, menus and dataclasses."""
    assert declared_type(hint, "t") == declared


def test_annotations_and_roles_that_mean_nothing_are_refused() -> None:
    """The operator is told what stands where."""
    with pytest.raises(ConfigError, match="is no type of the language; use str, int"):
        declared_type(dict[str, int], "t")
    with pytest.raises(ConfigError, match=r"^str is no dataclass$"):
        record_type(str)
    with pytest.raises(ConfigError, match=r"^tool f: a role is given for \['b'\], which is no parameter$"):

        @tool(roles={"b": Role.QUERY})
        def f(a: str) -> None: ...

    with pytest.raises(ConfigError, match=r"^tool g: parameter rest must be an ordinary one$"):

        @tool()
        def g(*rest: str) -> None: ...


def test_the_version_follows_the_code() -> None:
    """Two bodies under one declaration are two versions; one body twice is one."""

    def declared(body: int) -> str:
        if body == 1:

            @tool(name="h")
            def h(a: str) -> str:
                return a

        else:

            @tool(name="h")
            def h(a: str) -> str:
                return a + a

        return h.version

    assert declared(1) == declared(1)
    assert declared(1) != declared(2)


def test_who_decides_over_failing_is_declared() -> None:
    """Not declared, it is an untrusted source of the tool's own; declared, it is private; a tool that nobody makes fail has no doubt."""
    store = Source("store:notes", is_trusted=True)

    def doubt(fails_by: tuple[Source, ...] | None) -> Label:
        @tool(name="read_notes", changes=None, receivers=nobody, fails_by=fails_by)
        def read_notes() -> str:
            return ""

        return read_notes.doubt

    assert doubt(None) is label([Source("tool:read_notes")], readers=PRIVATE, steer=PRIVATE)
    assert doubt((store,)) is label([store], readers=PRIVATE, steer=PRIVATE)
    assert doubt(()) is NOTHING


def test_the_tools_of_a_store_that_takes_one_call_at_a_time_hold_its_lock() -> None:
    """Whatever the tool does: run, say who learns of it, say what it would do, take it back. What reads only stays a read."""
    held = 0

    class Lock:
        def __enter__(self) -> None:
            nonlocal held
            held += 1

        def __exit__(self, *_: object) -> None:
            nonlocal held
            held -= 1

    seen: list[int] = []

    def noting(*_: object) -> None:
        seen.append(held)

    def receivers(args: dict[str, Plain]) -> Receivers:
        seen.append(held)
        return NOBODY

    def summary(args: dict[str, Plain]) -> str:
        seen.append(held)
        return "it"

    @tool(changes="notes", receivers=receivers, undo=noting, summary=summary)
    def change() -> None:
        noting()

    @tool(changes=None, receivers=nobody)
    def read() -> None:
        noting()

    call = ToolCall({}, datetime(2026, 2, 3, tzinfo=UTC))
    changing, reading = one_at_a_time(change, Lock()), one_at_a_time(read, Lock())
    changing.run(call, {})
    changing.receivers({})
    assert changing.undo is not None
    assert changing.summary is not None
    changing.undo(call, {}, None)
    changing.summary({})
    reading.run(call, {})
    assert (seen, held) == ([1] * 5, 0)
    assert (reading.is_effect, reading.undo, reading.summary) == (False, None, None)
    assert (changing.at_once, reading.at_once, read.at_once) == (1, 1, 8)


@pytest.mark.parametrize("name", ["note", "", "a word"])
def test_what_goes_out_beside_the_arguments_has_a_name_of_its_own(name: str) -> None:
    """By that of an argument the policy could not tell the two apart."""

    @tool(receivers=nobody)
    def keep(note: str) -> None:
        """Keep a note."""

    assert replace(keep, carries=("words", lambda _args: NOTHING)).carries is not None
    with pytest.raises(ConfigError, match="needs a name of its own"):
        replace(keep, carries=(name, lambda _args: NOTHING))
