"""Documents by kind: text, CSV and HTML, what they are taken for, and how a document reads as one text."""

from __future__ import annotations

import codecs
import errno
import os

import pytest

from armslength.errors import ToolError
from armslength.tools.documents import process, reading
from armslength.tools.documents.confinement import Confinement
from armslength.tools.documents.document import Document, Line, Page
from armslength.tools.documents.kinds import charset_of, is_document, kind_of
from armslength.tools.documents.process import Walls
from armslength.tools.documents.reading import NO_WALLS, read_document, sandbox_line


def text(content: bytes, declared: str = "") -> str:
    """The whole text of a document."""
    return read_document(content, declared).text


@pytest.mark.parametrize(
    ("content", "declared", "kind"),
    [
        (b"\n %PDF-1.7", "text/plain", "pdf"),
        (b"PK\x03\x04", "a.txt", "docx"),
        (b"<!DOCTYPE html><p>x", "", "html"),
        (b"\xef\xbb\xbf <HTML>", "a.txt", "html"),
        (b"<p>x", "text/html; charset=utf-8", "html"),
        (b"<p>x", "page.htm", "html"),
        (b"<p>x", "text/plain", "text"),
        (b"a,b", "costs.CSV", "csv"),
        (b"a,b", "text/csv", "csv"),
        (b"a,b", "text/plain", "text"),
        (b"", "", "text"),
        (b"MZ & Sons", "", "text"),
        (b"RIFF raff", "", "text"),
        (b"\xff\xfea\0", "", "text"),
        (b"x", "application/pdf", "text"),
        (b"x", "../../etc/passwd", "text"),
    ],
)
def test_the_kind_is_what_the_bytes_are(content: bytes, declared: str, kind: str) -> None:
    """What others call it tells kinds of plain text apart, and nothing else."""
    assert kind_of(content, declared) == kind
    assert is_document(content) == (kind in ("pdf", "docx"))


@pytest.mark.parametrize(
    ("content", "declared", "expected"),
    [
        ("Grüße".encode(), "", "Grüße"),
        (codecs.BOM_UTF16_LE + "Grüße".encode("utf-16-le"), "", "Grüße"),
        (codecs.BOM_UTF8 + b"x", "", "x"),
        ("Привет".encode("cp1251"), "text/plain; charset=windows-1251", "Привет\n[the character set is said to be cp1251]"),
        ("Grüße".encode("cp1252"), "", "Grüße\n[the character set is a guess]"),
        ("Grüße".encode(), "text/plain; charset=shift_jis", "Grüße"),
        ("Grüße".encode("cp1252"), "text/plain; charset=unicode_escape", "Grüße\n[the character set is a guess]"),
        (b"one\r\ntwo\rthree\nfour", "", "one\ntwo\nthree\nfour"),
        (b"one\ftwo\n[page 2]", "", "[page 1]\none\n[page 2]\ntwo\n(page 2)"),
    ],
)  # fmt: skip
def test_text_is_decoded_by_a_list_of_character_sets(content: bytes, declared: str, expected: str) -> None:
    """A mark at the beginning, UTF-8, what is declared if it is a set of the list, Windows-1252: in this order."""
    assert text(content, declared) == expected


def test_a_page_says_its_character_set_itself() -> None:
    """As browsers read it, within its head."""
    page = '<html><head><meta charset="koi8-r"></head><p>Привет'.encode("koi8-r")
    assert charset_of(page, "") == "koi8-r"
    assert text(page) == "Привет\n[the character set is said to be koi8-r]"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a,b\n1,2\n", "a,b\n1,2"),
        (b'a;b\n"1,5";2\n', 'a,b\n"1,5",2'),
        (b"a\tb\n1\t2", "a,b\n1,2"),
        (b'a,b\n"one\nline","say ""x"""', 'a,b\none line,"say ""x"""'),
        (b"", ""),
    ],
)
def test_a_table_is_one_line_a_row(content: bytes, expected: str) -> None:
    """Whatever stood between its cells, commas stand there now."""
    assert text(content, "a.csv") == expected


def test_hidden_text_of_a_page_is_marked() -> None:
    """As in mails."""
    assert text(b'<html><p>seen<span style="display:none">not</span>') == "seen[hidden text: not]"


def test_a_table_with_a_cell_without_end_is_read_to_its_end() -> None:
    """A quote that is never closed takes the rest, which is bounded."""
    assert text(b'a,"' + b"x" * 100_000, "a.csv").startswith("a,x")
    with pytest.raises(ToolError, match="cannot be read as CSV"):
        text(b'a,"' + b"x" * 3_000_000, "a.csv")


def test_long_text_is_cut_with_a_note() -> None:
    """What follows is said to follow."""
    found = read_document(b"line\n" * 200_000)
    assert found.notes == ("cut here: more text follows",)


def test_a_document_reads_as_one_text() -> None:
    """Its pages under marks that no line of it can make, and its notes at the end."""
    pages = (Page(1, (Line("one"), Line("[page 2]"))), Page(2, (Line("two"),)))
    assert Document("pdf", pages, ("cut here",)).text == "[page 1]\none\n(page 2)\n[page 2]\ntwo\n[cut here]"
    assert Document("text", pages[1:]).text == "two"


def test_nothing_is_read_where_nothing_confines_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person may say that it goes on with limits alone; nobody else does."""
    monkeypatch.setattr(reading, "walls", Walls)
    with pytest.raises(ToolError) as raised:
        read_document(b"x")
    assert str(raised.value) == f"document: {NO_WALLS}"
    bare = "HTML of mails and pages is read without its structure, so hidden text is not marked"
    assert sandbox_line() == f"{NO_WALLS}; {bare}"
    assert sandbox_line(Confinement("read")).startswith("read in a process that only limits of memory")
    assert read_document(b"x", "", Confinement("read")).text == "x"


def test_where_no_wall_can_be_tried_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that gives no process for the trial gives none for the document, and that is an error of a tool."""

    def no_process() -> Walls:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(reading, "walls", no_process)
    with pytest.raises(ToolError, match="document: no process can be started for it: "):
        read_document(b"one")


def test_what_confines_the_reader_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, with what is missing."""
    assert sandbox_line() == "read in a process within seccomp and bubblewrap"
    monkeypatch.setattr(reading, "walls", lambda: Walls(b"x"))
    assert sandbox_line() == "read in a process within seccomp; bubblewrap is not at hand"
    monkeypatch.setattr(reading, "walls", lambda: Walls(b"", "bwrap"))
    assert sandbox_line() == "read in a process within bubblewrap; seccomp is not at hand"


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it; kinds that need none of it are read."""
    monkeypatch.setitem(process.LIBRARIES, "pdf", ("there_is_no_such_library",))
    with pytest.raises(
        ToolError, match=r"document: the extra documents is not installed; install it with: .*documents"
    ):
        read_document(b"%PDF-1.7\n")
    assert text(b"x") == "x"
