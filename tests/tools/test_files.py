"""Files and notes: names that stay inside, labels that survive, changes that can be taken back."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tools.documents.making import pdf, shown

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import LITERAL, PRIVATE, REQUEST, SATURATED, Label, Source, construct, label, steered
from armslength.tools.base import Role, Tool, ToolCall, nobody
from armslength.tools.files import FILE, STORE, file_tools
from armslength.tools.folder import Folder, Found
from armslength.tools.notes import ADDING
from armslength.values import Labelled, Plain

NOW = datetime(2026, 11, 30, tzinfo=UTC)
EVIL = label([Source("mail:evil@example.com")], readers=PRIVATE)
NAME = label([STORE], readers=PRIVATE)


class Home:
    """A folder with its tools, fresh for each call so that nothing lives in memory."""

    def __init__(self, root: Path) -> None:
        self.folder, self.state = root / "notes", root / "state"
        self.folder.mkdir()

    def tool(self, name: str) -> Tool:
        return next(each for each in file_tools(self.folder, trust_nobody, self.state) if each.name == name)

    def run(self, name: str, labels: dict[str, Label] | None = None, **args: Plain) -> Labelled:
        given = dict.fromkeys(args, LITERAL) | (labels or {})
        return self.tool(name).run(ToolCall(given, NOW), dict(args))

    def undo(self, name: str, **args: Plain) -> None:
        undo = self.tool(name).undo
        assert undo is not None
        undo(ToolCall({}, NOW), dict(args), None)

    def content_label(self, filename: str) -> Label:
        read = self.run("read_file", filename=filename)
        assert isinstance(read.data, dict)
        return read.data["content"].label


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty folder of notes."""
    return Home(tmp_path)


def _of_file(name: str) -> Label:
    return label([Source(f"file:{name}")], choice=[STORE], readers=PRIVATE, steer=PRIVATE)


def _listed(name: str, content: str, gain: Label) -> Labelled:
    """A file that others made and named, out of a listing with this gain. The name is the store's, too: it is that of a file that is there."""
    named = Labelled(name, steered(label([STORE, Source(f"file:{name}")], readers=PRIVATE, steer=PRIVATE), gain))
    parts = {"id": named, "filename": named, "content": Labelled(content, steered(_of_file(name), gain))}
    return Labelled(parts, steered(label([STORE]), gain), FILE)


def _said(name: str, content: str) -> Labelled:
    """A file that others made, read by a name that the program says whole."""
    parts = {"id": Labelled(name, NAME), "filename": Labelled(name, NAME)}
    return Labelled({**parts, "content": Labelled(content, _of_file(name))}, label([STORE]), FILE)


BY_NAME = label(choice=[ADDING], bits=SATURATED)
SHAPE = label([STORE], choice=[ADDING], bits=SATURATED, readers=PRIVATE, intact=False)


def test_files_are_listed_by_name_as_others_made_and_named_them(home: Home) -> None:
    """What stands in a file and what it is called is the file's own source; which files there are, all who can add one decide."""
    (home.folder / "sub").mkdir()
    (home.folder / "todo.txt").write_text("- milk")
    (home.folder / "sub" / "b.md").write_bytes(b"\xef\xbb\xbfcaf\xe9")

    assert home.run("list_files") == Labelled(
        (_listed("sub/b.md", "caf�", BY_NAME), _listed("todo.txt", "- milk", BY_NAME)), SHAPE
    )


def test_hidden_files_links_and_devices_are_not_listed(home: Home) -> None:
    """Only regular files with plain names are there."""
    (home.folder / ".secret").write_text("x")
    (home.folder / ".git").mkdir()
    (home.folder / ".git" / "config").write_text("x")
    (home.folder / "link").symlink_to("/etc/passwd")
    (home.folder / "etc").symlink_to("/etc")
    os.mkfifo(home.folder / "pipe")
    (home.folder / "evil\x1b[2J.txt").write_text("x")

    assert home.run("list_files") == Labelled((), SHAPE)


def test_a_file_that_leaves_while_all_are_listed_is_left_out(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program removes it after it was listed and before it is read; the others are listed."""
    (home.folder / "gone.txt").write_text("a")
    (home.folder / "kept.txt").write_text("b")
    listed = Folder.files

    def removed_afterwards(self: Folder) -> list[Found]:
        found = listed(self)
        (home.folder / "gone.txt").unlink()
        return found

    monkeypatch.setattr(Folder, "files", removed_afterwards)
    assert [each["filename"] for each in home.run("list_files").plain()] == ["kept.txt"]


def test_a_search_is_steered_by_all_who_can_add(home: Home) -> None:
    """Words in name or content, names first; whoever can add a file decides which are found, and who wrote what we made."""
    home.run("write_file", {"text": EVIL}, filename="d.txt", text="nothing")
    (home.folder / "agenda.md").write_text("Monday")
    (home.folder / "b.txt").write_text("the AGENDA of monday")
    (home.folder / "c.txt").write_text("nothing")
    sources = [STORE, ADDING, Source("mail:evil@example.com")]
    gain = label(choice=sources, bits=SATURATED, steer=PRIVATE)

    assert home.run("search_files", query="agenda Monday") == Labelled(
        (_listed("agenda.md", "Monday", gain), _listed("b.txt", "the AGENDA of monday", gain)),
        label([STORE], choice=sources, bits=SATURATED, readers=PRIVATE, steer=PRIVATE, intact=False),
    )


def test_a_name_that_is_said_whole_is_that_of_whoever_said_it(home: Home) -> None:
    """A name that is guessed, or that differs in no more than case or extension from another, is others', who decide which file it means."""
    for name in ("plan.md", "todo.txt", "todo.md"):
        (home.folder / name).write_text("x")
    gain = label(choice=[ADDING], bits=SATURATED, steer=PRIVATE)

    assert home.run("read_file", filename="plan.md") == _said("plan.md", "x")
    assert home.run("read_file", filename="plan") == _listed("plan.md", "x", gain)
    assert home.run("read_file", filename="todo.md") == _listed("todo.md", "x", gain)
    read = home.run("read_file", {"filename": EVIL}, filename="plan.md").data
    assert isinstance(read, dict)
    assert read["filename"].label.data == {STORE, Source("mail:evil@example.com")}


def test_an_exact_name_is_found_first(home: Home) -> None:
    """`search_files("todo")[0]` is todo.txt, whatever else names it."""
    for name in ("a todo.txt", "todo.txt", "old-todo.md"):
        (home.folder / name).write_text("todo")

    found = home.run("search_files", query="TODO").plain()

    assert isinstance(found, list)
    assert [each["filename"] for each in found if isinstance(each, dict)] == ["todo.txt", "a todo.txt", "old-todo.md"]


def test_what_is_no_text_or_too_large_is_noted_and_not_changed(home: Home) -> None:
    """A listing says so in brackets; reading, appending and writing are refused, so nothing is destroyed."""
    (home.folder / "photo").write_bytes(b"\x89PNG\0\0")
    (home.folder / "log").write_bytes(b"x" * 2_000_001)

    assert home.run("list_files") == Labelled(
        (
            _listed("log", "[not shown: 2,000,001 bytes]", BY_NAME),
            _listed("photo", "[not text: 6 bytes]", BY_NAME),
        ),
        SHAPE,
    )
    for name, args in (("read_file", {}), ("append_to_file", {"text": "x"}), ("write_file", {"text": "x"})):
        with pytest.raises(ToolError, match=r"^files: that file is not text"):
            home.run(name, filename="photo", **args)
        with pytest.raises(ToolError, match=r"^files: the file is over the limit of 2,000,000 bytes$"):
            home.run(name, filename="log", **args)
    assert (home.folder / "photo").read_bytes() == b"\x89PNG\0\0"


def test_a_document_is_read_as_the_text_that_it_shows(home: Home) -> None:
    """Page by page, with the label of its file, also where it is larger than text may be; listings do not look into it."""
    content = pdf(shown(b"one"), shown(b"two") + b"%" + b"x" * 2_000_000)
    (home.folder / "contract.pdf").write_bytes(content)

    assert home.run("read_file", filename="contract.pdf") == _said("contract.pdf", "[page 1]\none\n[page 2]\ntwo")
    assert home.run("list_files").plain()[0]["content"] == f"[not shown: {len(content):,} bytes]"


def test_a_broken_document_ends_in_one_line(home: Home) -> None:
    """Which says nothing of what stands in it."""
    (home.folder / "x.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(ToolError, match=r"^x\.pdf: it cannot be read as PDF: it is damaged or cut off$"):
        home.run("read_file", filename="x.pdf")


@pytest.mark.parametrize(
    ("given", "resolved"),
    [
        ("todo.txt", "todo.txt"),
        ("TODO", "todo.txt"),
        ("Todo.TXT", "todo.txt"),
        ("sub/PLAN", "sub/plan.md"),
        ("new", "new"),
    ],
)
def test_a_name_means_itself_or_the_only_file_that_fits(home: Home, given: str, resolved: str) -> None:
    """Case and extension may differ; the screen shows the file that is meant."""
    (home.folder / "sub").mkdir()
    (home.folder / "todo.txt").write_text("a")
    (home.folder / "sub" / "plan.md").write_text("a")
    summary = home.tool("append_to_file").summary
    assert summary is not None

    shown = summary({"filename": given, "text": "b"})
    home.run("append_to_file", filename=given, text="b")

    assert shown == ("make the file new" if given == "new" else f"append to the file {resolved}")
    assert (home.folder / resolved).read_text() == ("b" if given == "new" else "a\nb")


def test_a_name_that_fits_two_files_is_refused(home: Home) -> None:
    """Nothing is guessed where it decides what is changed; the exact name always works."""
    for name in ("todo.txt", "todo.md"):
        (home.folder / name).write_text("a")

    for name, args in (("read_file", {}), ("append_to_file", {"text": "b"}), ("write_file", {"text": "b"})):
        with pytest.raises(ToolError) as caught:
            home.run(name, filename="TODO", **args)
        assert str(caught.value) == "files: more than one file fits this name; give the whole name with its extension"
    home.run("append_to_file", filename="todo.md", text="b")
    assert ((home.folder / "todo.txt").read_text(), (home.folder / "todo.md").read_text()) == ("a", "a\nb")


PATHS = {
    "absolute": "/etc/passwd",
    "upwards": "../state/files.ledger.json",
    "upwards inside": "sub/../../x",
    "nul": "a\0b",
    "hidden": ".bashrc",
    "hidden folder": ".git/config",
    "empty part": "sub//x",
    "here": "./x",
    "empty": "",
    "backslash": "..\\x",
    "escape": "a\x1b[2Jb",
    "bidi": "a\u202etxt.exe",
    "newline": "a\nb",
    "long": "a" * 256,
    "deep": "/".join("a" * 13),
    "surrogate": "a\udce9",
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS.keys())
def test_a_path_that_leads_out_or_hides_is_refused(home: Home, path: str) -> None:
    """Neither read nor written, and the message names no value."""
    (home.folder / "sub").mkdir()
    for name, args in (("read_file", {}), ("append_to_file", {"text": "x"}), ("write_file", {"text": "x"})):
        with pytest.raises(ToolError, match=r"^files: .*give a") as caught:
            home.run(name, filename=path, **args)
        assert not path or path not in str(caught.value)
    assert [each.name for each in home.folder.parent.iterdir()] == ["notes"]
    assert [each.name for each in home.folder.iterdir()] == ["sub"]


def test_links_are_not_followed_as_file_or_folder(home: Home) -> None:
    """A link out of the folder leads nowhere, for reading, writing and making files."""
    outside = home.folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    (home.folder / "link.txt").symlink_to(outside / "secret.txt")
    (home.folder / "out").symlink_to(outside)

    for path in ("link.txt", "out/secret.txt", "out/new.txt"):
        for name in ("append_to_file", "write_file"):
            with pytest.raises(ToolError, match=r"^files: symbolic links are not followed"):
                home.run(name, filename=path, text="x")
        with pytest.raises(ToolError, match=r"^files: there is no file of this name; list_files shows what there is$"):
            home.run("read_file", filename=path)
    assert [each.name for each in outside.iterdir()] == ["secret.txt"]
    assert (outside / "secret.txt").read_text() == "secret"


def test_a_fifo_is_no_file(home: Home) -> None:
    """Opening one would wait for ever."""
    os.mkfifo(home.folder / "pipe")

    for name in ("append_to_file", "write_file"):
        with pytest.raises(ToolError, match=r"^files: that is no ordinary file$"):
            home.run(name, filename="pipe", text="x")


def test_a_changed_file_keeps_its_mode_and_leaves_no_temporary_file(home: Home) -> None:
    """Replaced in one rename; new files are the owner's alone."""
    (home.folder / "a.txt").write_text("a")
    (home.folder / "a.txt").chmod(0o640)
    home.run("write_file", filename="a.txt", text="b\udce9")
    home.run("write_file", filename="b.txt", text="b")

    assert (home.folder / "a.txt").read_bytes() == b"b?"
    assert [(each.name, each.stat().st_mode & 0o777) for each in sorted(home.folder.iterdir())] == [
        ("a.txt", 0o640),
        ("b.txt", 0o600),
    ]


def test_untrusted_text_keeps_its_source_in_a_file(home: Home) -> None:
    """Appended to a list, read again later: the mail's source is still there, beside the file's own."""
    (home.folder / "todo.txt").write_text("- milk")
    home.run("append_to_file", {"text": EVIL}, filename="TODO", text="- pay evil")

    made = construct(_of_file("todo.txt"), EVIL)
    assert made.data == {Source("file:todo.txt"), Source("mail:evil@example.com")}
    assert home.content_label("todo.txt").data == made.data | {STORE}
    assert home.content_label("todo.txt").readers == PRIVATE


def test_an_edit_elsewhere_joins_the_files_own_source(home: Home) -> None:
    """The ledger's label stays, the default is added."""
    home.run("write_file", {"text": EVIL}, filename="a.txt", text="x")
    assert home.content_label("a.txt").data == {STORE, Source("mail:evil@example.com")}

    (home.folder / "a.txt").write_text("edited by hand")

    assert home.content_label("a.txt").data == {STORE, Source("mail:evil@example.com"), Source("file:a.txt")}


def test_a_file_of_trusted_text_is_trusted_but_never_the_users(home: Home) -> None:
    """What the user or the program wrote comes back as the store's; the name that was used is only a choice."""
    home.run("write_file", {"text": REQUEST, "filename": REQUEST}, filename="a.txt", text="x")

    named = {"choice": [STORE], "bits": SATURATED}
    assert home.content_label("a.txt") is label([STORE], readers=PRIVATE, steer=PRIVATE, **named)
    assert home.content_label("a.txt").is_trusted


def test_an_untrusted_name_stays_untrusted(home: Home) -> None:
    """A file that a mail named does not launder the name by being listed."""
    home.run("write_file", {"filename": EVIL}, filename="pay-evil.txt", text="x")

    (listed,) = home.run("list_files").data  # type: ignore[misc,union-attr]
    assert listed.data["filename"].label.data == {STORE, Source("mail:evil@example.com")}
    assert listed.data["content"].label.choice == {STORE, ADDING, Source("mail:evil@example.com")}


@pytest.mark.parametrize("name", ["append_to_file", "write_file"])
def test_a_change_is_taken_back_with_its_label(home: Home, name: str) -> None:
    """Bytes and label are as before; a second undo has nothing to take back."""
    (home.folder / "a.txt").write_bytes(b"caf\xe9\r\n")
    before = home.content_label("a.txt")
    home.run(name, {"text": EVIL}, filename="A", text="x")
    home.undo(name, filename="A", text="x")

    assert (home.folder / "a.txt").read_bytes() == b"caf\xe9\r\n"
    assert home.content_label("a.txt") is before
    with pytest.raises(
        ToolError,
        match=r"^files: the file was changed since, or what it was is not kept any more, so nothing was undone; edit it by hand$",
    ):
        home.undo(name, filename="A", text="x")


def test_undoing_the_making_of_a_file_removes_it(home: Home) -> None:
    """And the ledger forgets it: another file of that name is another file."""
    home.run("append_to_file", {"text": EVIL, "filename": EVIL}, filename="new.txt", text="x")
    home.undo("append_to_file", filename="new.txt", text="x")

    assert list(home.folder.iterdir()) == []
    (home.folder / "new.txt").write_text("x")
    assert home.run("read_file", filename="new.txt") == _said("new.txt", "x")


def test_the_same_change_twice_is_taken_back_twice(home: Home) -> None:
    """The same text written twice leaves the same bytes; each undo takes one back."""
    (home.folder / "a.txt").write_text("first")
    home.run("write_file", filename="a.txt", text="x")
    home.run("write_file", filename="a.txt", text="x")
    home.undo("write_file", filename="a.txt", text="x")
    assert (home.folder / "a.txt").read_text() == "x"
    home.undo("write_file", filename="a.txt", text="x")

    assert (home.folder / "a.txt").read_text() == "first"


def test_undo_refuses_where_the_file_moved_on(home: Home) -> None:
    """Someone's later edit is not lost."""
    home.run("write_file", filename="a.txt", text="ours")
    (home.folder / "a.txt").write_text("theirs")

    with pytest.raises(
        ToolError,
        match=r"^files: the file was changed since, or what it was is not kept any more, so nothing was undone; edit it by hand$",
    ):
        home.undo("write_file", filename="a.txt", text="ours")
    assert (home.folder / "a.txt").read_text() == "theirs"


def test_the_declarations(home: Home) -> None:
    """Reads pick and are no effects; changes have a target and content and tell nobody."""
    declared = {each.name: each for each in file_tools(home.folder, trust_nobody, home.state)}

    assert list(declared) == ["list_files", "search_files", "read_file", "append_to_file", "write_file"]
    for name in ("list_files", "search_files", "read_file"):
        assert (declared[name].picks, declared[name].is_effect, declared[name].reads) == (True, False, "files")
    for name in ("append_to_file", "write_file"):
        assert declared[name].roles == {"filename": Role.TARGET, "text": Role.CONTENT}
        assert (declared[name].changes, declared[name].receivers) == ("files", nobody)


def test_a_summary_says_that_a_name_will_be_refused(home: Home) -> None:
    """The screen is drawn for every effect, also one that cannot succeed."""
    summary = home.tool("write_file").summary
    assert summary is not None

    assert summary({"filename": "../x"}) == (
        "replace all of a file (will fail: files: '..' leads out of the folder; give a name below it)"
    )


@given(st.text(max_size=30) | st.lists(st.sampled_from(["..", ".", "a", "", "b.txt", "~"]), max_size=5).map("/".join))
def test_no_path_leads_out_of_the_folder(path: str) -> None:
    """Any text is refused, or is a plain path of names below the folder."""
    folder = Folder(Path("/home/kim/notes"), "files", 10)
    try:
        parts = folder.checked(path)
    except ToolError:
        return
    inside = os.path.normpath(folder.root.joinpath(*parts))
    assert inside == f"/home/kim/notes/{path}"
    assert not any(part.startswith(".") for part in parts)


CONTROLS = "a\x1b[2Jb\x9b2Jc\x07\x08\x7f\x0b\x0c\x85\rd\r\ne\n\tf"
INERT = "a\ufffd[2Jb\ufffd2Jc\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdd\r\ne\n\tf"


@pytest.mark.parametrize("tool", ["append_to_file", "write_file"])
def test_control_characters_of_others_are_written_visibly(home: Home, tool: str) -> None:
    """`cat` would act on them; line ends and tabs stay, and the change can be taken back as any other."""
    home.run(tool, {"text": EVIL}, filename="a.txt", text=CONTROLS)
    assert (home.folder / "a.txt").read_bytes() == INERT.encode()
    home.undo(tool, filename="a.txt", text=CONTROLS)
    assert not (home.folder / "a.txt").exists()


@pytest.mark.parametrize("tool", ["append_to_file", "write_file"])
def test_control_characters_of_the_user_are_written_as_they_are(home: Home, tool: str) -> None:
    """Whoever dictates them means them."""
    home.run(tool, {"text": REQUEST}, filename="a.txt", text=CONTROLS)
    assert (home.folder / "a.txt").read_bytes() == CONTROLS.encode()
