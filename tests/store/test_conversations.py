"""Conversations on disk: whole or not at all, nobody else's to read, and what a damaged one is worth."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from armslength.errors import OperatorError
from armslength.store.conversations import MOST_KEPT, Conversations

NOW = datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)
NAME = "20261130-090005-1"
CONTENT: dict[str, Any] = {"version": 1, "names": ["é", "\ud800", "a\nb"], "spent": 3, "half": 0.5}
OTHER = (
    "the conversation 20261130-090005-1 was gone on with or removed elsewhere, so nothing more of it is done here; "
    "/forget begins a new one"
)


def kept(folder: Path, content: dict[str, Any] = CONTENT) -> Conversations:
    """A folder with one conversation."""
    conversations = Conversations(folder)
    conversations.save(conversations.begin(NOW), content)
    return conversations


def why_not(conversations: Conversations, name: str = NAME) -> str:
    """Why it cannot be loaded, in one line."""
    with pytest.raises(OperatorError) as caught:
        conversations.load(name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """Content comes back as it was; the latest is the one written last."""
    first = kept(tmp_path)
    second = Conversations(tmp_path)
    name = second.begin(NOW)
    assert name == "20261130-090005-2"
    assert first.latest() == NAME, "an empty one holds nothing"
    second.save(name, {"version": 2})
    assert Conversations(tmp_path).latest() == name
    assert Conversations(tmp_path).load(NAME) == CONTENT


def test_only_the_user_can_read_them(tmp_path: Path) -> None:
    """Files of mode 600, before and after they are replaced, in a folder of mode 700, whatever the umask allows."""
    before = os.umask(0)
    try:
        conversations = Conversations(tmp_path / "here")
        name = conversations.begin(NOW)
        modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "here").iterdir()}
        conversations.save(name, CONTENT)
        modes |= {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "here").iterdir()}
    finally:
        os.umask(before)
    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "here").stat().st_mode) == 0o700


def test_there_is_none(tmp_path: Path) -> None:
    """An empty folder, and none at all."""
    assert Conversations(tmp_path).latest() is None
    assert Conversations(tmp_path / "none").latest() is None
    missing = (
        f"the conversation {NAME} cannot be read: No such file or directory; chat without --resume begins a new one"
    )
    assert why_not(Conversations(tmp_path)) == missing


def test_a_truncated_file_is_damaged(tmp_path: Path) -> None:
    """Cut off anywhere, it is one line and nothing of it."""
    conversations = kept(tmp_path)
    path = tmp_path / f"{NAME}.json"
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert why_not(conversations) == f"the conversation {NAME} is damaged; chat without --resume begins a new one"


def test_an_edited_file_is_not_loaded(tmp_path: Path) -> None:
    """A budget that somebody gave himself back, a name more, any other byte: the digest is another."""
    conversations = kept(tmp_path)
    path = tmp_path / f"{NAME}.json"
    whole = path.read_text("ascii")
    wrong = f"the conversation {NAME} is not as it was written; chat without --resume begins a new one"
    for old, new in (('"spent": 3', '"spent": 0'), ('"half": 0.5', '"half": 0.25'), ('"version"', '"versiom"')):
        path.write_text(whole.replace(old, new), "ascii")
        assert why_not(conversations) == wrong
    for place in range(len(whole)):
        path.write_text(f"{whole[:place]}{chr(ord(whole[place]) ^ 1)}{whole[place + 1 :]}", "latin-1")
        assert why_not(conversations).endswith("begins a new one")


@pytest.mark.parametrize(
    "foreign",
    [b"{}", b"[]", b"null", b'"x"', b'{"digest": 1, "content": {}}', b'{"digest": "x", "content": []}', b"{" * 100_000,
     b"[" * 100_000, b'{"content": ' * 100_000, b"\xff\xfe", b"1" * 10_000, b"\x00", b"%PDF-1.7"],
)  # fmt: skip
def test_a_foreign_file_is_not_loaded(tmp_path: Path, foreign: bytes) -> None:
    """Whatever else has the name is one line."""
    conversations = Conversations(tmp_path)
    (tmp_path / f"{NAME}.json").write_bytes(foreign)
    assert conversations.latest() == NAME
    assert why_not(conversations) in {
        f"the conversation {NAME} {why}; chat without --resume begins a new one"
        for why in ("is damaged", "is not as it was written")
    }


def test_what_is_no_file_is_not_loaded(tmp_path: Path) -> None:
    """A folder of that name, a link into nowhere, a file that is too large to be ours."""
    conversations = Conversations(tmp_path)
    (tmp_path / "a.json").mkdir()
    assert why_not(conversations, "a").startswith("the conversation a cannot be read: Is a directory;")
    (tmp_path / "b.json").symlink_to(tmp_path / "nowhere")
    assert conversations.latest() == "a"
    with (tmp_path / "c.json").open("wb") as file:
        file.truncate(200_000_000)
    assert why_not(conversations, "c").startswith("the conversation c is larger than 128,000,000 bytes;")


def test_who_comes_second_is_refused(tmp_path: Path) -> None:
    """Two processes go on with one conversation: the budget of it is spent by one of them only."""
    kept(tmp_path)
    one, other = Conversations(tmp_path), Conversations(tmp_path)
    assert one.load(NAME) == other.load(NAME)
    one.save(NAME, {"spent": 5})
    with pytest.raises(OperatorError) as caught:
        other.save(NAME, {"spent": 4})
    assert str(caught.value) == OTHER
    one.save(NAME, {"spent": 6})
    assert Conversations(tmp_path).load(NAME) == {"spent": 6}


def test_what_was_forgotten_does_not_come_back(tmp_path: Path) -> None:
    """Removed by one process, it is written by no other; and who came second removes nothing of the first."""
    kept(tmp_path)
    one, other = Conversations(tmp_path), Conversations(tmp_path)
    one.load(NAME)
    other.load(NAME)
    assert one.forget(NAME)
    with pytest.raises(OperatorError) as caught:
        other.save(NAME, CONTENT)
    assert str(caught.value) == OTHER
    assert other.forget(NAME), "there is nothing left"
    kept(tmp_path)
    third = Conversations(tmp_path)
    third.load(NAME)
    assert not other.forget(NAME)
    third.save(NAME, {"spent": 1})


def test_nothing_of_a_forgotten_one_is_left(tmp_path: Path) -> None:
    """Neither the file nor what a killed process left half written."""
    conversations = kept(tmp_path)
    (tmp_path / f"{NAME}.new").write_text("half of it", "ascii")
    assert conversations.forget(NAME)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_number_of_them_is_kept(tmp_path: Path) -> None:
    """The one that was written longest ago goes when another begins."""
    names = []
    for number in range(MOST_KEPT + 2):
        conversations = kept(tmp_path)
        names.append(str(conversations.latest()))
        os.utime(tmp_path / f"{names[-1]}.json", ns=(number, number))
    assert {path.stem for path in tmp_path.glob("*.json")} == set(names[2:])


def test_one_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    """One line; what was kept before is there."""
    conversations = kept(tmp_path)
    tmp_path.joinpath(f"{NAME}.new").mkdir()  # in the way of what is written first
    with pytest.raises(OperatorError) as caught:
        conversations.save(NAME, {"spent": 8})
    assert str(caught.value) == f"the conversations in {tmp_path} cannot be written: Is a directory"
    assert Conversations(tmp_path).load(NAME) == CONTENT
    (tmp_path / "file").write_text("x", "ascii")
    with pytest.raises(OperatorError) as caught:
        Conversations(tmp_path / "file" / "x").begin(NOW)
    assert str(caught.value) == f"the conversations in {tmp_path / 'file' / 'x'} cannot be written: Not a directory"


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    """Neither as the conversation nor as what is written first nor as the lock."""
    precious = tmp_path / "precious"
    precious.write_text("x", "ascii")
    folder = tmp_path / "conversations"
    conversations = kept(folder)
    (folder / f"{NAME}.new").symlink_to(precious)
    conversations.save(NAME, {"spent": 1})
    (folder / "20261130-090005-2.json").symlink_to(precious)
    assert conversations.begin(NOW) == "20261130-090005-3"
    (folder / ".lock").unlink()
    (folder / ".lock").symlink_to(precious)
    with pytest.raises(OperatorError):
        conversations.save(NAME, {"spent": 2})
    assert precious.read_text("ascii") == "x"


KILLED = """
import os, signal, sys
from pathlib import Path
from armslength.store.conversations import Conversations

def die(*_given, **_named):
    os.kill(os.getpid(), signal.SIGKILL)

conversations = Conversations(Path(sys.argv[1]))
conversations.load(sys.argv[2])
place, when = sys.argv[3].split()
holder, name = (os, "fsync") if place == "fsync" else (os, "fdopen") if place == "open" else (Path, "replace")
before = getattr(holder, name)
if when == "before":
    setattr(holder, name, die)
else:
    setattr(holder, name, lambda *given, **named: (before(*given, **named), die()))
conversations.save(sys.argv[2], {"spent": 4, "more": "x" * 100_000})
"""


@pytest.mark.parametrize("moment", ["open before", "fsync before", "fsync after", "replace before", "replace after"])
def test_a_process_killed_in_the_middle_of_a_write(tmp_path: Path, moment: str) -> None:
    """What is there is whole, the old or the new; whoever comes next reads it, goes on, and leaves nothing half written."""
    kept(tmp_path)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), NAME, moment], check=False, timeout=60)
    assert ended.returncode == -signal.SIGKILL
    after = Conversations(tmp_path)
    found = after.load(NAME)
    assert found == ({"spent": 4, "more": "x" * 100_000} if moment == "replace after" else CONTENT)
    after.save(NAME, {"spent": 5})
    assert {path.name for path in tmp_path.iterdir()} == {f"{NAME}.json", ".lock"}
    assert Conversations(tmp_path).load(NAME) == {"spent": 5}


WRITING = """
import sys
from pathlib import Path
from armslength.store.conversations import Conversations

conversations = Conversations(Path(sys.argv[1]))
number = conversations.load(sys.argv[2])["number"]
print("ready", flush=True)
while True:
    number += 1
    conversations.save(sys.argv[2], {"number": number, "all": [number] * 100_000})
"""


def test_a_process_killed_at_any_moment(tmp_path: Path) -> None:
    """Written over and over and killed after a while: each time a whole one is there, never an older one than was read before."""
    kept(tmp_path, {"number": 0, "all": []})
    last = 0
    for delay in (0.0, 0.003, 0.011, 0.023, 0.037, 0.053):
        command = [sys.executable, "-c", WRITING, str(tmp_path), NAME]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(delay)
            process.kill()
        found = Conversations(tmp_path).load(NAME)
        assert found["all"] == [found["number"]] * (100_000 if found["number"] else 0)
        assert found["number"] >= last
        last = found["number"]


def test_names_follow_the_clock(tmp_path: Path) -> None:
    """A name is the moment of its start."""
    conversations = Conversations(tmp_path)
    assert conversations.begin(NOW) == NAME
    assert conversations.begin(NOW + timedelta(seconds=1)) == "20261130-090006-1"


def test_what_stands_in_the_file_is_json(tmp_path: Path) -> None:
    """ASCII, one object: whoever wants to look at it can."""
    kept(tmp_path)
    text = (tmp_path / f"{NAME}.json").read_bytes()
    assert text.isascii()
    assert json.loads(text)["content"] == CONTENT
