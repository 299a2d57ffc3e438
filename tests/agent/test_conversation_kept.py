"""A conversation that goes on in another process: names with their labels, bits as they were spent, and nothing of a file that is not ours."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.home.world import Home, Person, says, statuses

from armslength.app import Assistant
from armslength.app.talk import Talk
from armslength.errors import OperatorError
from armslength.models.base import ModelRequest
from armslength.policy.patterns import spoken
from armslength.store.conversations import Conversations

READ = (
    "mails = search_emails('')\nbody = mails[0].body\n"
    "kind = quarantined('What is it?', body, returns=Literal['invoice', 'other'])\ntotal = 3\n"
)
KINDS = """
class Part(BaseModel):
    name: str
    tags: list[str] = []
    more: Optional[str] = None
class Level(Enum):
    LOW = "low"
    HIGH = "high"
part = Part(name="x", tags=["a"])
whole = [part, part]
level = Level.HIGH
moment = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))
day = date(2026, 1, 1)
hour = time(1, 2)
span = timedelta(days=-1, seconds=5)
zone = timezone.utc
numbers = [10**3000, 1.5, -0.0, float("inf"), True, None]
itself = []
itself.append((itself, {"k": itself}))
keys = {(1, "a"): {1, "b", None}, 1.5: {}, Level.LOW: (1, (2,))}
word = "é\\u2028"
iterator = iter([1])
match = re.match("a", "abc")
large = "x" * 2_000_000
"""
"""One name of each kind of value."""
LOST = {"iterator", "match", "large"}


def resumed(assistant: Assistant, folder: Path, *, is_strict: bool = False) -> Talk:
    """What another process finds."""
    talk = Talk(assistant, folder, is_strict=is_strict)
    assert talk.resume()
    return talk


def why_not(assistant: Assistant, folder: Path) -> str:
    """Why nothing of it is there, in one line; the talk is one that has just begun."""
    talk = Talk(assistant, folder)
    with pytest.raises(OperatorError) as caught:
        talk.resume()
    assert (talk.names(), talk.requests, talk.bits_left, talk.name) == ((), (), 8, "")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def stored(folder: Path) -> tuple[Conversations, str, dict[str, Any]]:
    """The conversation on disk, and where it lies."""
    kept = Conversations(folder)
    name = str(kept.latest())
    return kept, name, kept.load(name)


def test_there_is_none_to_go_on_with(home: Home, tmp_path: Path) -> None:
    """Said by a False; and one that nothing was asked in is none."""
    assistant = home.assistant([])
    assert not Talk(assistant, tmp_path / "c").resume()
    assert not Talk(assistant).resume()
    Talk(assistant, tmp_path / "c").forget()
    assert not (tmp_path / "c").exists()


def test_what_was_made_does_not_become_whole_by_being_kept(home: Home, tmp_path: Path) -> None:
    """Else one of five thousand computed numbers, picked by a mail, would pass as picked out of things that were there before."""
    assistant = home.assistant(["amounts = [i * 10 for i in range(50)]\n", "one = amounts[7]\n"], says("other"))
    Talk(assistant, tmp_path / "c").ask("compute them")
    talk = resumed(assistant, tmp_path / "c")
    talk.ask("take one")
    (label,) = [each.found.label for each in talk.names() if each.name == "one" and each.found is not None]
    assert not label.intact


def test_names_come_back_with_their_labels(home: Home, tmp_path: Path) -> None:
    """A mail's words are the mail's, the program's are the store's, and all of them private; the next program is asked about as before."""
    home.deliver("Pay 100 at once")
    send = "send_email(['kim@example.com'], 'x', body)\n"
    assistant = home.assistant([READ, send], says("other"))
    before = Talk(assistant, tmp_path / "c")
    before.ask("read it")
    talk = resumed(assistant, tmp_path / "c")
    found = {each.name: each.found.label for each in talk.names() if each.found is not None}
    assert sorted(each.name for each in spoken(found["body"].data)) == ["mail:unverified", "store:conversation"]
    assert [source.name for source in found["total"].data] == ["store:conversation"]
    assert (found["kind"].is_chosen, found["body"].is_chosen, found["total"].is_trusted) == (True, False, True)
    assert all(label.readers.names == frozenset() for label in found.values())
    was = {each.name: (each.type, each.trust) for each in before.names()}
    assert {each.name: (each.type, each.trust) for each in talk.names()} == was
    person = Person([False])
    assert statuses(talk.ask("send it", approver=person)) == [("send_email", "declined")]
    assert "body: ⟦Pay 100 at once" in person.screens[0].text


def test_every_kind_of_value_comes_back(home: Home, tmp_path: Path) -> None:
    """As it was, one object still one object; what is not kept on disk is there without a value, and whoever reads it stops."""
    look = (
        "answer(whole[0].tags, level.value, level == Level.HIGH if False else 'x', moment.isoformat(), day, hour, span, zone)\n"
        "answer(numbers[0] == 10**3000, numbers[1:], itself[0][0] is itself, itself[0][1]['k'] is itself, len(keys), word)\n"
    ).replace("level == Level.HIGH if False else 'x', ", "")
    assistant = home.assistant([KINDS, look, "answer(iterator)\n"])
    before = Talk(assistant, tmp_path / "c", bits=0)
    assert before.ask("one").outcome.message == ""
    plain = {each.name: None if each.found is None else each.found.plain() for each in before.names()}
    talk = resumed(assistant, tmp_path / "c")
    again = {each.name: None if each.found is None else each.found.plain() for each in talk.names()}
    assert repr({name: data for name, data in again.items() if name not in LOST}) == repr(
        {name: data for name, data in plain.items() if name not in LOST}
    )
    assert {each.name: each.lost for each in talk.names() if each.found is None and each.name in LOST} == dict.fromkeys(
        LOST, "it holds what is not kept"
    )
    assert talk.ask("two").text == (
        "['a'] high 2026-01-02T03:04:05.000006-03:30 2026-01-01 01:02:00 -1 day, 0:00:05 UTC\n"
        "True [1.5, -0.0, inf, True, None] True True 3 é⟨U+2028⟩"
    )
    assert talk.ask("three").outcome.message == (
        "line 1: name: iterator has no value, since it holds what is not kept; ask for it anew"
    )


def test_that_a_value_could_be_kept_steers_what_goes_out(home: Home, tmp_path: Path) -> None:
    """How much a mail holds decides whether its name comes back, so what is fetched by a program that reads the name is decided by it."""
    home.deliver("short")
    home.page("https://example.com/", "hello")
    programs = ["n = [1]\nmails = search_emails('')\nbody = mails[0].body\n", "fetch_web_page('https://example.com/')\nanswer(len(body) * 0)\n"]  # fmt: skip
    assistant = home.assistant(programs)
    Talk(assistant, tmp_path / "c").ask("one")
    person = Person([False])
    assert resumed(assistant, tmp_path / "c").ask("two", approver=person).outcome.ending == "declined"
    assert "depends on what its receivers may not read" in person.screens[0].text


def test_the_planner_is_told_the_same_after_a_resume(home: Home, tmp_path: Path) -> None:
    """Earlier requests, what was revealed, names and classes: word for word as without one."""
    home.deliver("x")
    programs = [
        f"{READ}reveal(kind)\nfixed = mails[0].sender\nchecked = str(fixed) + 'x'\n",
        "answer(total)\n",
        "answer('end')\n",
    ]
    prompts = []
    for is_resumed in (False, True):
        assistant = home.assistant(programs, says("other"))
        talk = Talk(assistant, tmp_path / str(is_resumed))
        for number in range(3):
            talk = resumed(assistant, tmp_path / str(is_resumed)) if number and is_resumed else talk
            talk.ask(f"request {number}")
        prompts.append(home.planner.requests)
    assert prompts[0] == prompts[1]


def test_bits_stay_spent(home: Home, tmp_path: Path) -> None:
    """Across any number of processes; strict, there are none left; and --strict gives a later process none back."""
    home.deliver("x")
    assistant = home.assistant([READ, READ, "a = total\n", "b = 1\n"], says("other"))
    talk = Talk(assistant, tmp_path / "c")
    left = []
    for number in range(2):
        talk.ask(f"request {number}")
        talk = resumed(assistant, tmp_path / "c")
        left.append(talk.bits_left)
    assert left == [6, 4]
    assert resumed(assistant, tmp_path / "c").bits_left == 4
    strict = resumed(assistant, tmp_path / "c", is_strict=True)
    assert strict.bits_left == 0
    strict.ask("more")
    assert resumed(assistant, tmp_path / "c").bits_left == 0


def test_who_kills_it_gets_no_bits_back(home: Home, tmp_path: Path) -> None:
    """While a program runs, the disk holds what a stopped one would leave: paid, and its names lost."""
    home.deliver("x")
    seen = []

    def look(_request: ModelRequest) -> str:
        other = resumed(home.assistant([]), tmp_path / "c")
        seen.append(
            (other.bits_left, other.last.is_cut_off, {each.name for each in other.names() if each.found is None})
        )
        with pytest.raises(OperatorError) as caught:
            other.undo_last()
        seen.append(str(caught.value))
        return says("other")

    talk = Talk(home.assistant(["total = 1\n", f"{READ}reveal(kind)\n"], look), tmp_path / "c")
    talk.ask("one")
    talk.ask("two")
    assert seen == [
        (4, True, {"body", "kind", "mails", "total"}),
        f"the last request was cut off in its middle, and what it changed stands in its journal alone: armslength why {talk.last.run}",
    ]  # fmt: skip
    assert talk.bits_left == 4
    assert not resumed(home.assistant([]), tmp_path / "c").last.is_cut_off


def test_two_processes_have_one_budget(home: Home, tmp_path: Path) -> None:
    """Whoever asks second is refused before the program runs; what it asks for is not done, and nothing of it is written."""
    home.deliver("x")
    assistant = home.assistant(
        [READ, READ, "append_to_file('a.txt', 'x')\n", "append_to_file('b.txt', 'x')\n"], [says("other")] * 2
    )
    Talk(assistant, tmp_path / "c").ask("one")
    one, other = resumed(assistant, tmp_path / "c"), resumed(assistant, tmp_path / "c")
    assert one.ask("two").outcome.ending == "done"
    with pytest.raises(OperatorError) as caught:
        other.ask("three")
    assert str(caught.value) == (
        f"the conversation {one.name} was gone on with or removed elsewhere, so nothing more of it is done here; "
        "/forget begins a new one"
    )
    assert not (home.path / "files" / "a.txt").exists()
    assert not other.forget(), "it is the other one's"
    assert resumed(assistant, tmp_path / "c").requests == ("one", "two")
    other.ask("four")
    assert (home.path / "files" / "b.txt").read_text("utf-8") == "x"


def test_a_forgotten_one_is_gone(home: Home, tmp_path: Path) -> None:
    """Nothing of it is on disk, and the next request begins another."""
    home.deliver("A SECRET")
    assistant = home.assistant([READ, "x = 1\n"], says("other"))
    talk = Talk(assistant, tmp_path / "c")
    talk.ask("one")
    assert "A SECRET" in "".join(path.read_text("ascii") for path in (tmp_path / "c").glob("*.json"))
    assert talk.forget()
    assert [path.name for path in (tmp_path / "c").iterdir()] == [".lock"]
    talk.ask("two")
    assert resumed(assistant, tmp_path / "c").requests == ("two",)


def test_another_version_is_said_to_be_one(home: Home, tmp_path: Path) -> None:
    """Newer, older, or none at all."""
    assistant = home.assistant(["x = 1\n"])
    Talk(assistant, tmp_path / "c").ask("one")
    kept, name, content = stored(tmp_path / "c")
    for version in (2, 0, "1", None):
        kept.save(name, {**content, "version": version, "names": "written otherwise"})
        assert why_not(assistant, tmp_path / "c") == (
            f"the conversation {name} was written by another version of armslength; chat without --resume begins a new one"
        )


def test_a_damaged_one_is_refused(home: Home, tmp_path: Path) -> None:
    """A file that is cut off or edited is one line, and the talk has begun anew."""
    assistant = home.assistant(["x = 1\n", "y = 2\n"])
    Talk(assistant, tmp_path / "c").ask("one")
    path = next((tmp_path / "c").glob("*.json"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    assert why_not(assistant, tmp_path / "c") == (
        f"the conversation {path.stem} is damaged; chat without --resume begins a new one"
    )
    path.write_bytes(whole.replace(b'"spent": 0', b'"spent": 8'))
    assert why_not(assistant, tmp_path / "c").startswith(f"the conversation {path.stem} is not as it was written;")
    talk = Talk(assistant, tmp_path / "c")
    talk.ask("two")
    assert resumed(assistant, tmp_path / "c").requests == ("two",), "a new one is begun beside it"


WRONG = (None, True, -1, 10**30, 1.5, float("inf"), "x", "", [], {}, [[]], {"label": 0, "data": 1}, [10**30, 0, 0])


def changed(content: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """For each place of a JSON tree, how to make copies that have nothing there, or something else: some of `WRONG`, in turn."""
    turns = itertools.cycle(WRONG)

    def places(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        yield path
        for key, below in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
            yield from places(below, (*path, key))

    def made(path: tuple[Any, ...], wrong: Any, *, is_left_out: bool) -> Any:
        whole = copy.deepcopy(content)
        node = whole
        for key in path[:-1]:
            node = node[key]
        if is_left_out:
            del node[path[-1]]
        else:
            node[path[-1]] = wrong
        return whole

    for path in places(content, ()):
        if path:
            yield f"{path} left out", lambda path=path: made(path, None, is_left_out=True)
            for wrong in itertools.islice(turns, 3):
                yield f"{path} {wrong!r}", lambda path=path, wrong=wrong: made(path, wrong, is_left_out=False)


def test_no_content_is_loaded_by_half(home: Home, tmp_path: Path) -> None:
    """Something else in any one place of the content: it is refused in one line, or is a conversation that can be shown and gone on with."""
    home.deliver("x")
    first = "mails = search_emails('')[:1]\nkind = quarantined('?', 'x', returns=Literal['a', 'b'])\nreveal(kind)\n"
    second = (
        "class Part(BaseModel):\n    name: str = 'x'\npart = Part()\nspan = timedelta(1)\nzone = timezone(span * 0)\n"
        "keys = {(1, 'a'): {2}}\nappend_to_file('a.txt', 'x')\ntrash_email(mails[0])\ndel mails\n"
    )
    assistant = home.assistant([first, second], says("a"))
    talk = Talk(assistant, tmp_path / "c")
    talk.ask("one")
    talk.ask("two", approver=Person([True]))
    assert len(talk.last.done) == 2
    kept, name, content = stored(tmp_path / "c")
    refused = loaded = 0
    for what, make in changed(content):
        kept.save(name, make())
        other = Talk(assistant, tmp_path / "c")
        why = refusal(other)
        if why is None:
            assert all(each.found is not None or each.lost for each in other.names()), what
            assert len(other.lasting()) <= len(other.last.done), what
            loaded += 1
        else:
            assert "\n" not in why, what
            assert (other.names(), other.requests, other.bits_left, other.name) == ((), (), 8, ""), what
            refused += 1
    assert refused > 2 * loaded


def refusal(talk: Talk) -> str | None:
    """Why it cannot go on with what is kept, None if it can. Every other exception is a failure."""
    try:
        talk.resume()
    except OperatorError as error:
        return str(error)
    return None
