"""What is remembered: values with their labels, taken back, bounded, and refused where other hands changed it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.agent.runs.trust import trust_of
from armslength.errors import OperatorError, ToolError
from armslength.events import label_to_json
from armslength.labels import LITERAL, PRIVATE, PROGRAM, PUBLIC, SATURATED, USER, Label, Readers, Source, label
from armslength.store.chain import key_in
from armslength.store.content_key import FileKey
from armslength.store.document import Document
from armslength.store.sealing import Contents
from armslength.tools.base import Decided, ToolCall
from armslength.tools.memory import MOST_CHARACTERS, STORE, Memory, recalled

NOW = datetime(2026, 11, 30, tzinfo=UTC)
MAIL = label([Source("mail:unverified")], readers=PRIVATE, steer=PRIVATE)
TRUST = trust_of(frozenset())


def document(path: Path, contents: Contents | None = None) -> Document:
    """The file of the memory."""
    return Document(path / "memory.kept", "the memory", key_in(path / "memory.key"), contents)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory(document(tmp_path), TRUST)


def call(key: str, of: Label = LITERAL) -> ToolCall:
    """A call whose value has this label."""
    return ToolCall({"key": LITERAL, "value": of}, NOW, key)


@pytest.mark.parametrize("value", [None, True, 3, 0.5, "x", [], {}, [1, {"a": [None]}], {"a": {"b": "c"}}, "\ud800"])
def test_a_value_comes_back(memory: Memory, tmp_path: Path, value: object) -> None:
    """JSON's shapes, each with the label of the whole at each node, also in another process."""
    memory.remember(call("1", MAIL), "k", value)  # type: ignore[arg-type]
    found = Memory(document(tmp_path), TRUST).recall("k")
    assert found.plain() == value
    assert {source.name for source in found.label.data} == {"mail:unverified", "store:mail:anybody", "store:memory"}


def test_what_is_not_there_is_none(memory: Memory) -> None:
    """Private, and the memory's."""
    found = memory.recall("k")
    assert (found.plain(), found.label) == (None, label([STORE], readers=PRIVATE, steer=PRIVATE))


def test_it_is_taken_back(memory: Memory) -> None:
    """To what was there before, with its label; not where something else lies there by now."""
    memory.remember(call("1"), "k", "a")
    memory.remember(call("2", MAIL), "k", "b")
    with pytest.raises(ToolError) as caught:
        memory.forget(call("1"), "k")
    assert str(caught.value) == "something else is remembered under that key by now, so nothing was undone"
    memory.forget(call("2"), "k")
    assert (memory.recall("k").plain(), memory.recall("k").label.is_trusted) == ("a", True)
    memory.forget(call("1"), "k")
    assert memory.recall("k").plain() is None
    with pytest.raises(ToolError):
        memory.forget(call("1"), "k")


def test_an_effect_that_is_carried_out_again_does_it_once(memory: Memory) -> None:
    """After a crash it is known whether it got done."""
    assert not memory.holds(call("1"), "k")
    for _ in range(2):
        memory.remember(call("1"), "k", "a")
    assert memory.holds(call("1"), "k")
    memory.forget(call("1"), "k")
    assert memory.recall("k").plain() is None


def test_what_decided_stays_with_the_key(memory: Memory) -> None:
    """Until something is set there; taking that back brings it back."""
    gain = label(choice=[Source("mail:unverified")], bits=1)
    memory.steered("k", Decided(gain, "a run"))
    assert not memory.recall("k").label.is_trusted
    memory.remember(call("1"), "k", "a")
    assert memory.recall("k").label.is_trusted
    memory.forget(call("1"), "k")
    assert not memory.recall("k").label.is_trusted


def test_what_is_told_again_counts_once(memory: Memory) -> None:
    """Also after it was set by the run that is told of, or by none."""
    gain = label(choice=[Source("mail:unverified")], bits=1)
    for own in ((), ("1",), ("1",)):
        memory.steered("k", Decided(gain, "a run", frozenset(own)))
    assert memory.recall("k").label.bits == 1
    memory.remember(call("1"), "k", "a")
    memory.steered("k", Decided(gain, "a run", frozenset(["1"])))
    assert memory.recall("k").label.is_trusted
    memory.forget(call("1"), "k")
    assert memory.recall("k").label.bits == 1


def test_what_another_run_set_meanwhile_is_decided_over_too(memory: Memory) -> None:
    """Whether it still stands there was decided by whoever decided whether the first one sets it; also once that is taken back."""
    gain = label(choice=[Source("mail:unverified")], bits=1)
    memory.steered("k", Decided(gain, "a run"))
    memory.remember(call("2"), "k", "b")
    memory.steered("k", Decided(gain, "a run"))
    assert (memory.recall("k").plain(), memory.recall("k").label.bits) == ("b", 1)
    memory.remember(call("3"), "k", "b")
    memory.remember(call("1"), "k", "a")
    memory.steered("k", Decided(gain, "a run", frozenset(["1"])))
    memory.forget(call("1"), "k")
    assert (memory.recall("k").plain(), memory.recall("k").label.bits) == ("b", 1)


def test_its_size_is_bounded(memory: Memory) -> None:
    """One value, and how many keys there are."""
    with pytest.raises(ToolError) as caught:
        memory.remember(call("1"), "k", "x" * MOST_CHARACTERS)
    assert str(caught.value) == "remember keeps at most 100,000 characters under a key; keep less, or write a file"
    assert memory.recall("k").plain() is None


def test_any_byte_changed_by_other_hands_is_refused(memory: Memory, tmp_path: Path) -> None:
    """The value, the label, the version: one line, and nothing of it is used."""
    memory.remember(call("1", MAIL), "k", "a")
    path = tmp_path / "memory.kept"
    before = path.read_bytes()
    for place in range(0, len(before), 3):
        path.write_bytes(before[:place] + bytes([before[place] ^ 1]) + before[place + 1 :])
        with pytest.raises(ToolError) as caught:
            memory.recall("k")
        assert str(caught.value) == (
            f"the memory in {path} was changed by other hands, so nothing of it is used; put back what was there, or move it and the .heads away"
        )
        with pytest.raises(ToolError):
            memory.remember(call("2"), "k", "b")
    path.write_bytes(before.replace(b"mail:unverified", b"program        "))
    with pytest.raises(ToolError):
        memory.recall("k")


def test_it_is_encrypted_with_the_rest(tmp_path: Path) -> None:
    """No word in the file; another key does not open it."""
    contents = Contents(FileKey(tmp_path / "contents.key"), tmp_path / "contents.id", seals=True)
    memory = Memory(document(tmp_path, contents), TRUST)
    memory.remember(call("1"), "a-secret-key", "a-secret-value")
    assert b"secret" not in (tmp_path / "memory.kept").read_bytes()
    assert memory.recall("a-secret-key").plain() == "a-secret-value"
    (tmp_path / "contents.key").unlink()
    with pytest.raises(ToolError) as caught:
        Memory(document(tmp_path, Contents(FileKey(tmp_path / "contents.key"))), TRUST).recall("a-secret-key")
    assert str(caught.value).startswith("the memory is encrypted, and there is no key in ")


def test_a_memory_of_another_version_is_refused(memory: Memory, tmp_path: Path) -> None:
    """Nothing is guessed; what is no memory at all is damaged."""
    document(tmp_path).write(json.dumps({"version": 2, "keys": {}}).encode())
    with pytest.raises(ToolError) as caught:
        memory.recall("k")
    assert str(caught.value).startswith("the memory was written by another version of armslength;")
    for content in (b"", b"[]", b'{"version": 1, "keys": {"k": 5}}', b'{"version": 1}'):
        document(tmp_path).write(content)
        with pytest.raises(ToolError) as caught:
            memory.recall("k")
        assert str(caught.value) == "the memory is damaged; move its file away to begin anew"


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """What was there before stays."""
    (tmp_path / "memory.kept").mkdir()
    with pytest.raises(OperatorError) as caught:
        document(tmp_path).write(b"x")
    assert str(caught.value) == f"the memory in {tmp_path / 'memory.kept'} cannot be read: Is a directory"
    assert {path.name for path in tmp_path.iterdir()} == {"memory.kept"}


sources = st.sampled_from([USER, PROGRAM, STORE, Source("mail:a@b.example"), Source("quarantined")])
readers = st.sampled_from([PUBLIC, PRIVATE, Readers(frozenset({"a@b.example"}))])


@given(st.frozensets(sources), st.frozensets(sources), st.integers(0, SATURATED), readers, readers, st.booleans())
def test_no_label_widens_by_being_remembered(
    data: frozenset[Source], choice: frozenset[Source], bits: int, who: Readers, steer: Readers, intact: object
) -> None:
    """Untrusted sources, bits, readers and what was made stay; the user's and the program's words become the memory's."""
    before = label(data, choice=choice, bits=bits, readers=who, steer=steer, intact=intact is True)
    after = recalled(label_to_json(before), trust_of(frozenset()))
    assert {each for each in before.data if not each.is_trusted} == {each for each in after.data if not each.is_trusted}
    assert not {USER, PROGRAM} & (after.data | after.choice)
    assert after.bits == before.bits
    assert (after.readers, after.steer) == (before.readers, before.steer)
    assert before.intact or not after.intact
    assert before.is_trusted or not after.is_trusted
    assert recalled(label_to_json(after), trust_of(frozenset())) == after
