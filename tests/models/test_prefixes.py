from __future__ import annotations

import os
from pathlib import Path

import pytest

from armslength.models.prefixes import KEPT_STATES, PrefixStore, prefix_key


def write(store: PrefixStore, key: str, content: bytes) -> str:
    name = store.temporary()
    (store.folder / name).write_bytes(content)
    store.adopt(name, key)
    found = store.find(key)
    assert found is not None
    return found


@pytest.fixture
def store(tmp_path: Path) -> PrefixStore:
    made = PrefixStore(tmp_path / "prefixes")
    assert made.prepare() is True
    return made


def test_a_key_depends_on_model_runtime_and_tokens() -> None:
    """Any other model, runtime or system text has another state."""
    keys = {
        prefix_key("m", "1", [1, 2]),
        prefix_key("n", "1", [1, 2]),
        prefix_key("m", "2", [1, 2]),
        prefix_key("m", "1", [12]),
    }
    assert len(keys) == 4
    assert prefix_key("m", "1", [1, 2]) == prefix_key("m", "1", [1, 2])


def test_a_state_is_found_again_and_private(store: PrefixStore) -> None:
    """Only the user can read the folder and the file."""
    key = prefix_key("m", "1", [1])
    name = write(store, key, b"state")
    assert (store.folder / name).read_bytes() == b"state"
    assert (store.folder / name).stat().st_mode & 0o777 == 0o600
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert store.find(prefix_key("m", "1", [2])) is None


@pytest.mark.parametrize("damage", [b"", b"stat", b"statE", b"state and more"])
def test_a_damaged_state_never_reaches_the_runtime(store: PrefixStore, damage: bytes) -> None:
    """The runtime ends the process on a cut file, so the digest is checked first and the file deleted."""
    key = prefix_key("m", "1", [1])
    name = write(store, key, b"state")
    (store.folder / name).write_bytes(damage)
    assert store.find(key) is None
    assert list(store.folder.iterdir()) == []


def test_a_state_that_was_cut_off_while_written_is_not_found(store: PrefixStore) -> None:
    """Until it is adopted a file has no name that is looked for."""
    (store.folder / store.temporary()).write_bytes(b"half")
    assert store.find(prefix_key("m", "1", [1])) is None


def test_only_the_last_used_states_stay(store: PrefixStore) -> None:
    """The least recently used one goes; use counts, not age."""
    keys = [prefix_key("m", "1", [number]) for number in range(KEPT_STATES + 1)]
    for age, key in enumerate(keys[:-1]):
        os.utime(store.folder / write(store, key, key.encode()), (age, age))
    store.find(keys[0])
    write(store, keys[-1], b"new")
    assert [store.find(key) is not None for key in keys] == [True, False, True, True, True]


def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path: Path) -> None:
    """The model then reads its instructions each time; nothing fails."""
    (tmp_path / "file").write_text("")
    store = PrefixStore(tmp_path / "file" / "prefixes")
    assert store.prepare() is False
    assert store.find(prefix_key("m", "1", [1])) is None
