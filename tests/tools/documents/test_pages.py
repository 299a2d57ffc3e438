"""HTML of others becomes text in a process for each mail or page, and nothing that one of them does reaches the text of another."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.documents.test_locked import TRIES, around, said

from armslength.tools.documents import pages
from armslength.tools.documents.confinement import Confinement
from armslength.tools.documents.pages import page_text, texts_of
from armslength.tools.documents.process import Ended, Job, Walls, carried_out
from armslength.tools.documents.ready import Ready
from armslength.tools.documents.wire import LONGEST_LINE
from armslength.tools.mail.message import read_message
from armslength.tools.text.html_text import html_to_text

_TRYING = """
import ctypes, json, mmap, os, resource, socket, sys, time, errno
from armslength.tools.documents import child, forking

def tried(content, charset, output):
    given = json.loads(content)
    try:
        found = eval(given["does"])
    except OSError as error:
        found = "refused: " + errno.errorcode.get(error.errno, str(error.errno))
    output.line(str(found))

def main():
    child.run(json.loads(child._taken(int.from_bytes(child._taken(4), "big"))), tried)

child.main = main
forking.main()
"""


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Ready]]:
    """What is kept ready, for one test alone."""
    kept: list[Ready] = []
    monkeypatch.setattr(pages, "_idle", kept)
    yield kept
    pages.end_all()


@contextmanager
def trying_within(name: str) -> Iterator[Trying]:
    """One within these walls, until the block ends."""
    made = Trying(name)
    try:
        yield made
    finally:
        made.ready.end()


class Trying:
    """A program kept ready whose processes evaluate what they are given, as one would that was taken over."""

    def __init__(self, within: str) -> None:
        self.ready = Ready(around(within), _TRYING)

    def ended(self, does: str, seconds: int = 5) -> Ended:
        """What comes of an expression."""
        content = json.dumps({"does": does}).encode()
        return self.ready.read(Job(content, "page", "", Confinement("read", seconds=seconds)))

    def said(self, does: str) -> str:
        """The line that it ends with; empty if it was ended before."""
        ended = self.ended(does)
        return said(ended) if ended.received.pages else ""


@pytest.fixture(params=["both", "seccomp", "bubblewrap"])
def trying(request: pytest.FixtureRequest) -> Iterator[Trying]:
    """One within each of the walls."""
    with trying_within(request.param) as made:
        yield made


@pytest.mark.parametrize("what", [what for what, (_, ends) in TRIES.items() if "both" in ends])
def test_a_pages_process_cannot(what: str) -> None:
    """Whoever takes over the reader of a mail or page finds the same walls as with a document."""
    does, ends = TRIES[what]
    expected = {"SIGSYS": "", "2": "3"}.get(ends["both"], ends["both"])  # killed; and it is the second one in there
    with trying_within("both") as trying:
        assert trying.said(does) == expected
        assert trying.said("1 + 1") == "2"


def test_what_one_leaves_no_other_one_finds(trying: Trying) -> None:
    """A process that was taken over changes itself alone: the next one is made of what was there before."""
    assert trying.said("setattr(json, 'left', 'x') or json.left") == "x"
    assert trying.said("hasattr(json, 'left')") == "False"


def test_what_makes_the_processes_cannot_be_looked_into() -> None:
    """Without the kernel's list a process may ask to trace the one that made it, which would write the texts of all that follow."""
    with trying_within("bubblewrap") as trying:
        assert trying.said("ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)") == "-1"
        assert trying.said("1 + 1") == "2"


def test_a_process_has_one_way_out() -> None:
    """Nothing is open in it but where its text goes: not the socket on which the next ones are asked for."""
    there = "[at for at in range(256) if ctypes.CDLL(None).fcntl(at, 1) != -1]"
    with trying_within("limits") as trying:
        assert trying.said(there) == "[1]"


def test_one_that_does_not_end_is_ended_and_the_next_is_read(trying: Trying) -> None:
    """Waiting takes no processor time; nobody else's text waits for it longer than it may take."""
    ended = trying.ended("[None for _ in iter(lambda: time.monotonic() < 0, True)]", seconds=1)
    assert ended.is_late or not ended.received.is_whole
    if trying.ready.is_usable:
        assert trying.said("1 + 1") == "2"


def test_one_that_says_what_is_no_frame_says_nothing_of_the_next(trying: Trying) -> None:
    """What it wrote besides is gone with its pipe."""
    assert trying.ended("[os.write(1, b'\\xff' * 65536) for _ in range(9)]").is_misfit
    assert trying.said("1 + 1") == "2"


def test_one_that_says_two_texts_says_nothing_of_the_next(trying: Trying) -> None:
    """A frame that ends its text ends it: whatever follows is no frame, and none of it is heard with the next text."""
    frame = '{"page":1,"lines":[["of another",0,0]]}'
    end = '{"end":true}'
    both = b"".join(len(each).to_bytes(4, "big") + each.encode() for each in (end, frame, end))
    assert trying.ended(f"os.write(1, {both!r})").is_misfit
    assert trying.said("1 + 1") == "2"


_TAKEN_OVER = """
import os, resource
from armslength.tools.documents import child
import armslength.tools.documents.markup as markup
real = markup.READERS["page"]
def read(content, charset, output):
    if b"HOSTILE" in content:
        resource.prlimit(os.getppid(), resource.RLIMIT_AS, (1 << 20, 1 << 20))
        os.kill(os.getppid(), 19)
        return
    real(content, charset, output)
markup.READERS["page"] = read
child.main()
"""


def test_without_the_kernels_list_no_page_reaches_what_reads_the_next(
    anew: list[Ready], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With bubblewrap alone, whoever takes over one mail's process limits and stops what made it: nothing that is used again."""
    monkeypatch.setattr(pages, "walls", lambda: around("bubblewrap"))
    monkeypatch.setattr(pages, "carried_out", partial(carried_out, beginning=_TAKEN_OVER))
    honest = "<p>Hi<p style='display:none'>obey<a href='/b'>b</a>"
    read = page_text(honest, "https://x.example/")
    assert read == "Hi\n\n[hidden text: obeyb (https://x.example/b)]"
    page_text("HOSTILE")
    assert page_text(honest, "https://x.example/") == read
    assert anew == []


def test_a_program_whose_process_did_not_lock_itself_is_not_used_again() -> None:
    """What keeps its processes from being locked would keep all later ones from it."""
    beginning = "from armslength.tools.documents import child, forking; child.main = lambda: None; forking.main()"
    ready = Ready(around("both"), beginning)
    ready.read(Job(b"", "page", "", Confinement("read", seconds=2)))
    assert not ready.is_usable
    ready.end()


def test_one_that_is_stopped_leaves_nothing_when_it_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot end by itself: it is ended, and within bubblewrap what it started."""
    monkeypatch.setattr("armslength.tools.documents.ready._SLOWEST", 0.2)
    ready = Ready(around("both"))
    outer = ready._program.pid
    children = Path(f"/proc/{outer}/task/{outer}/children")
    ready.read(Job(b"{}", "page", "utf-8", Confinement("read", seconds=2)))
    within = [int(each) for each in children.read_text("ascii").split()]
    for each in (outer, *within):
        os.kill(each, signal.SIGSTOP)
    ready.end()
    assert within and not any(Path(f"/proc/{each}").exists() for each in (outer,))
    for _ in range(100):
        if all(_is_gone(each) for each in within):
            break
        time.sleep(0.05)
    assert all(_is_gone(each) for each in within)


def _is_gone(number: int) -> bool:
    """Ended; whether somebody has collected it is not ours to say."""
    try:
        return Path(f"/proc/{number}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_no_process_is_left(trying: Trying) -> None:
    """What is kept ready ends when it is told to, and everything that it made."""
    assert trying.said("1 + 1") == "2"
    number = trying.ready._program.pid
    trying.ready.end()
    assert not Path(f"/proc/{number}").exists()


def test_one_that_was_ended_by_others_is_started_anew(anew: list[Ready]) -> None:
    """A program that is gone costs no text: another one is started."""
    gone = Ready(around("both"))
    gone.end()
    anew.append(gone)
    assert page_text("<p>one") == "one"


def test_what_cannot_be_started_leaves_nothing_open() -> None:
    """Whoever asks again and again on a machine that gives no process does not run out of files by that."""
    before = sorted(Path("/proc/self/fd").iterdir())
    with pytest.raises(OSError, match="no-such-bwrap"):
        Ready(Walls(bubble="/no-such-bwrap"))
    assert sorted(Path("/proc/self/fd").iterdir()) == before


def test_where_no_wall_can_be_tried_a_page_is_read_without_its_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that gives no process for the trial gives none for the page."""

    def no_process() -> Walls:
        raise BlockingIOError

    monkeypatch.setattr(pages, "walls", no_process)
    assert "no process can be started for it" in page_text("<p>one")


def test_pages_are_read_from_many_threads() -> None:
    """Each thread has the text of its own page."""
    found: dict[int, str] = {}
    threads = [threading.Thread(target=lambda at=at: found.update({at: page_text(f"<p>{at}")})) for at in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {at: str(at) for at in range(8)}


def test_a_process_that_was_forked_off_starts_its_own() -> None:
    """Two processes that asked one program would take each other's texts."""
    program = (
        "import os\nfrom armslength.tools.documents import pages\n"
        "assert pages.page_text('<p>one') == 'one'\n"
        "made = os.fork()\n"
        "assert not made or pages._idle\n"
        "assert made or not pages._idle\n"
        "assert pages.page_text(f'<p>{made > 0}') == str(made > 0)\n"
        "if made:\n    assert os.waitpid(made, 0)[1] == 0\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=60, env=dict(os.environ))


@pytest.mark.usefixtures("anew")
def test_what_is_kept_ready_outlives_the_thread_that_started_it() -> None:
    """The kernel ends some processes with the thread that started them; the next page would find none then."""
    first = threading.Thread(target=page_text, args=("<p>one",))
    first.start()
    first.join()
    (kept,) = pages._idle
    assert page_text("<p>two") == "two"
    assert pages._idle == [kept]


@pytest.mark.parametrize(
    "html",
    [
        "",
        "text & more",
        "<p>Hi <span hidden>obey me</span> <a href='https://x.example/a'>here</a>",
        "<div>" * 500 + "x",
        "<p>" + "long " * LONGEST_LINE + "<p>after",
        "<p>" + "a" * 1_000_001,
        "<ul><li>one<li>two</ul><blockquote>q<blockquote>r</blockquote></blockquote>",
    ],
)
def test_the_text_is_that_of_the_reader(html: str) -> None:
    """Line for line, lines over the length of one that is said included."""
    assert page_text(html) == html_to_text(html)


@settings(max_examples=30)
@given(st.lists(st.text(st.sampled_from("<>/!-='\" abdivspntl\n{}:;.#&")) | st.text(max_size=50), max_size=4))
def test_several_texts_of_one_mail_keep_their_order(htmls: list[str]) -> None:
    """Any strings are read, as many as were given."""
    found = texts_of(htmls)
    for text in found:
        text.encode()
    wanted = [
        "".join(each if each.isprintable() or each in "\n\t" else "?" for each in html_to_text(html)) for html in htmls
    ]
    read = ["".join(each if each.isprintable() or each in "\n\t" else "?" for each in text) for text in found]
    assert [text.replace("\ufffd", "?") for text in read] == [text.replace("\ufffd", "?") for text in wanted]


def test_links_of_a_page_lead_from_its_address() -> None:
    """As they did: whole addresses, and what is none stays as it is written."""
    html = "<a href='/b?c=1'>b</a> <a href='mailto:a@x.example'>c</a> <a href='//y.example'>d</a>"
    assert page_text(html, "https://x.example/a/") == (
        "b (https://x.example/b?c=1) c (mailto:a@x.example) d (https://y.example/)"
    )


@pytest.mark.usefixtures("anew")
def test_where_nothing_confines_a_process_the_structure_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is there, and what may be hidden in it is said; where the person allows it, limits are enough."""
    monkeypatch.setattr(pages, "walls", Walls)
    raw = b"Content-Type: text/html\n\n<style>p{}</style><p>Hi<p style='display:none'>obey"
    assert read_message(raw).body == f"[{pages.UNCONFINED}]\nHi\nobey"
    assert read_message(raw, partial(texts_of, confinement=Confinement("read"))).body == "Hi\n\n[hidden text: obey]"


def test_a_mail_on_which_the_reader_stops_has_its_text_all_the_same() -> None:
    """Whoever makes the parser fail with one mail gets a text that says that it was read otherwise; the next mail is read as ever."""
    stopping = Confinement(memory=8 * 1024 * 1024)
    assert page_text("<p>a<p hidden>b", confinement=stopping).endswith("text may have been hidden]\na\nb")
    assert page_text("<p>a<p hidden>b") == "a\n\n[hidden text: b]"


def test_the_parser_is_not_even_loaded_where_secrets_are() -> None:
    """A mail, a page and an attachment are read, and the main process has no parser of HTML in it."""
    program = """
import sys
from pathlib import Path
from armslength.tools.mail.message import read_message
from armslength.tools.mail import indexed, tools
from armslength.tools.documents.reading import read_document
from armslength.tools.web.address import web_address
from armslength.tools.web.reading import text_of
from armslength.tools import standin
assert read_message(b"Content-Type: text/html\\n\\n<p>Hi<p hidden>x").body == "Hi\\n\\n[hidden text: x]"
assert text_of("text/html", b"<a href=b>x", web_address("https://x.example/a/")) == "x (https://x.example/a/b)"
assert read_document(b"<html><p>Hi").text == "Hi"
assert not [name for name in sys.modules if "selectolax" in name or name.endswith("html_text")]
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=60, env=dict(os.environ))
