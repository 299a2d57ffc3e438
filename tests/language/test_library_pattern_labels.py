"""`re`: exact labels of what is found and replaced, and functions that replace."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.language.library_world import (
    GUESS,
    MAIL,
    READ,
    attribute_of,
    called,
    data_of,
    machine_for,
    method_of,
    value_of,
)
from tests.language.world import FOREIGN, SIGNATURES, World

from armslength.errors import ProgramFailed
from armslength.labels import LITERAL, NOTHING, construct
from armslength.language import prepare, run
from armslength.language.operations.elements import read_item
from armslength.values import TupleObject, Value, kind, unwrap

# Labels

BOTH = construct(MAIL, READ)


def test_what_is_found_is_made_of_text_pattern_and_flags() -> None:
    """Whether there is a match, each group, each place: row "construct" of all three."""
    whole = construct(READ, MAIL, GUESS)
    found = called("re.search", value_of(r"(\d)(x)?", READ), value_of("a1", MAIL), value_of(2, GUESS))
    assert found.label is whole
    assert [group.label for group in unwrap(found).groups] == [whole] * 3
    missed = called("re.search", value_of("z", READ), value_of("a1", MAIL), value_of(2, GUESS))
    assert (unwrap(missed), missed.label) == (None, whole)


@pytest.mark.parametrize("name", ["findall", "finditer", "split"])
def test_lists_of_what_is_found_are_labelled_in_shape_and_elements(name: str) -> None:
    """How many there are is made of text and pattern, and so is each."""
    found = unwrap(called(f"re.{name}", value_of("(a)(b)", READ), value_of("abab", MAIL)))
    assert found.shape is BOTH
    items = found.left if name == "finditer" else found.items
    for item in items:
        raw = unwrap(item)
        if isinstance(raw, TupleObject):
            assert (item.label, raw.shape, {part.label for part in raw.items}) == (NOTHING, BOTH, {BOTH})
        else:
            assert item.label is BOTH
    assert len(items) == (7 if name == "split" else 2)


def test_a_replacement_adds_its_own_label() -> None:
    """The text after `sub`, and the number after `subn`, are made of all arguments."""
    whole = construct(READ, GUESS, MAIL, MAIL)
    args = value_of("a", READ), value_of("b", GUESS), value_of("aa", MAIL), value_of(1, MAIL)
    assert called("re.sub", *args).label is whole
    pair = unwrap(called("re.subn", *args))
    assert (pair.shape, [each.label for each in pair.items]) == (whole, [whole, whole])
    assert called("re.escape", value_of("a", MAIL)).label is construct(MAIL)


def test_reading_a_match_keeps_its_label_and_adds_the_keys() -> None:
    """Groups, places and names of a match are made of the match and of what picked them."""
    match = called("re.search", value_of(r"(?P<w>\d)", NOTHING), value_of("a1", MAIL))
    read = construct(MAIL, construct(MAIL), READ)
    assert method_of(match, "group", value_of("w", READ)).label is construct(read, construct(READ))
    assert read_item(machine_for(), match, value_of(1, READ)).label is construct(read, construct(READ))
    assert method_of(match, "group").label is construct(MAIL, construct(MAIL))
    assert method_of(match, "start", value_of(1, READ)).label is construct(MAIL, READ)
    groups = unwrap(method_of(match, "groups"))
    assert (groups.shape, groups.items[0].label) == (construct(MAIL), construct(MAIL, construct(MAIL)))
    named = unwrap(method_of(match, "groupdict"))
    assert named.shape is construct(MAIL)
    assert named.entries["w"].key.label is construct(MAIL)
    missing = called("re.search", "(a)(b)?", value_of("a", MAIL))
    given = unwrap(method_of(missing, "groups", value_of("?", READ)))
    assert [(unwrap(each), each.label) for each in given.items] == [("a", read), ("?", read)]


def test_a_compiled_pattern_keeps_the_labels_of_its_parts() -> None:
    """Pattern and flags are fields with their own labels, and what is found takes both."""
    pattern = called("re.compile", value_of("a", READ), value_of(2, GUESS))
    raw = unwrap(pattern)
    assert (kind(pattern), pattern.label) == ("Pattern", NOTHING)
    assert (raw.fields["pattern"].label, raw.fields["flags"].label) == (READ, GUESS)
    found = method_of(pattern, "search", value_of("A", MAIL))
    assert found.label is construct(READ, GUESS, MAIL)


def test_a_failure_on_untrusted_text_is_not_told() -> None:
    """The planner hears of a bad pattern only if the pattern is trusted."""
    with pytest.raises(ProgramFailed) as failed:
        called("re.search", value_of("(", MAIL), "a")
    assert not failed.value.is_trusted
    with pytest.raises(ProgramFailed) as failed:
        called("re.search", "(", "a")
    assert failed.value.is_trusted


def test_methods_of_a_pattern_are_not_for_other_records() -> None:
    """A class of the program that is called Pattern has no `search`."""
    from armslength.schema import STR, Field, RecordType
    from armslength.values import RecordObject, make

    other = RecordType("Pattern", (Field("pattern", STR), Field("flags", STR)))
    record = make(RecordObject(other, {"pattern": value_of("a"), "flags": value_of(0)}), NOTHING)
    with pytest.raises(ProgramFailed) as failed:
        method_of(record, "search", "a")
    assert (failed.value.code, failed.value.reason) == ("type", "the arguments do not fit a pattern's method")


def test_attributes_are_of_moments_only() -> None:
    """A match and a pattern have methods and fields; the table of attributes knows neither."""
    with pytest.raises(KeyError):
        attribute_of(called("re.search", "a", "a"), "string")


# A function that replaces


def _names(source: str) -> Mapping[str, Value]:
    return run(prepare(source, SIGNATURES), World())


def test_a_function_replaces_each_match() -> None:
    """It is called once for each, with the match."""
    source = """
import re
doubled = re.sub(r"\\d+", lambda m: str(int(m.group()) * 2), "a1 b22")
first = re.subn(r"(?P<w>\\w)", lambda m: m.group("w").upper(), "ab", count=1)
none = re.compile("x").sub(lambda m: 1 / 0, "ab")
"""
    names = _names(source)
    assert {name: data_of(value) for name, value in names.items()} == {
        "doubled": "a2 b44",
        "first": ("Ab", 1),
        "none": "ab",
    }
    assert names["doubled"].label.data == LITERAL.data


def test_what_a_function_changes_takes_how_often_it_was_called() -> None:
    """How many matches there are is the text's: what is counted inside the function is steered by it, and so is what it gives."""
    names = _names("""
import re
seen = []
def note(match):
    seen.append(1)
    return "x"
text = search("invoice")[0].subject
replaced = re.sub("i", note, text)
""")
    assert names["replaced"].label.data >= FOREIGN.data
    shape = unwrap(names["seen"]).shape
    assert shape.choice | shape.data >= FOREIGN.data


def test_a_function_that_gives_no_text_fails() -> None:
    """As in Python."""
    with pytest.raises(ProgramFailed) as failed:
        _names("import re\nre.sub('a', lambda m: 1, 'a')")
    assert (failed.value.code, failed.value.reason) == ("type", "a function that replaces gives a text")
