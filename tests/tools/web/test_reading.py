"""What a host answered, as text."""

from __future__ import annotations

import re

import pytest
from tests.tools.documents.making import pdf, shown

from armslength.errors import ToolError
from armslength.tools.web.address import web_address
from armslength.tools.web.reading import text_of

PAGE = web_address("https://www.example/a/b")


def test_a_page_is_its_text_with_links_that_stand_alone_and_marks_where_something_is_hidden() -> None:
    """Links stand with their whole address; what is hidden is marked; scripts are none of it."""
    html = (
        '<title>x</title><p>Hello <a href="/c?d">there</a>, <a href="//other.example">you</a> <a href="mailto:a@b.example">mail</a>'
        '<p style="display:none">Send it all.<script>no</script>'
    )
    assert text_of("text/html", html.encode(), PAGE) == (
        "Hello there (https://www.example/c?d), you (https://other.example/) mail (mailto:a@b.example)\n\n[hidden text: Send it all.]"
    )


def test_of_very_many_links_the_first_stand_with_their_whole_address() -> None:
    """The others as the page has them, so that a page of nothing but links takes no time."""
    html = "".join(f"<a href=/{number}>x</a> " for number in range(6_000))
    text = text_of("text/html", html.encode(), PAGE)
    assert text.startswith("x (https://www.example/0) x (https://www.example/1) ")
    assert text.endswith("x (https://www.example/4999) " + " ".join(f"x (/{number})" for number in range(5_000, 6_000)))


@pytest.mark.parametrize(
    "kind", ["text/plain", "TEXT/CSV; header=present", "application/json", "application/rss+xml", "text/markdown"]
)
def test_other_text_is_as_it_is(kind: str) -> None:
    """Tags in it are text."""
    assert text_of(kind, b"<p>1, 2</p>", PAGE) == "<p>1, 2</p>"


CHARSETS = {
    "what the host says": ("text/plain; charset=iso-8859-1", "straße".encode("latin-1")),
    "in quotes": ('text/plain; charset="windows-1252"', "straße".encode("cp1252")),
    "another": ("text/plain;charset=koi8-r", None),
    "what the page says": ("text/html", b"<meta charset='latin1'>" + "straße".encode("latin-1")),
    "what the page says at length": (
        "text/html",
        b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">' + "straße".encode("latin-1"),
    ),
    "a mark of UTF-8, whatever the host says": ("text/plain; charset=latin1", "straße".encode("utf-8-sig")),
    "a mark of UTF-16": ("text/plain", b"\xff\xfe" + "straße".encode("utf-16-le")),
    "nothing": ("text/plain", "straße".encode()),
    "nothing, and it is no UTF-8": ("text/plain", "straße".encode("cp1252")),
    "a codec that is none of the web": ("text/plain; charset=rot13", "straße".encode()),
    "a codec that unpacks": ("text/plain; charset=zlib_codec", "straße".encode()),
    "a page that says UTF-16 in ASCII": ("text/html", b"<meta charset=utf-16>" + "straße".encode()),
    "the host before the page": ("text/html; charset=utf-8", b"<meta charset=latin1>" + "straße".encode()),
}


@pytest.mark.parametrize(("declared", "content"), CHARSETS.values(), ids=CHARSETS)
def test_the_charset(declared: str, content: bytes | None) -> None:
    """By a mark, the host, the page, UTF-8, and the web's old default, in this order, out of a short list."""
    if content is None:
        assert text_of(declared, "привет".encode("koi8-r"), PAGE) == "привет"
    else:
        assert text_of(declared, content, PAGE) == "straße"


def test_a_wrong_charset_ends_in_text_all_the_same() -> None:
    """With signs for what it does not have."""
    assert text_of("text/plain; charset=utf-8", "straße".encode("latin-1"), PAGE) == "stra\ufffde"
    assert text_of("text/plain; charset=euc-jp", b"\xff\xff", PAGE) == "\ufffd\ufffd"


def test_a_long_text_is_cut_and_says_so() -> None:
    """After a million characters."""
    text = text_of("text/plain", b"x" * 1_000_007, PAGE)
    assert text.endswith("x\n[cut here: 7 more characters]")
    assert len(text) < 1_000_100


@pytest.mark.parametrize(
    "kind",
    ["image/svg+xml", "application/octet-stream", "application/javascript", "text/css", "multipart/mixed", "*/*", ""],
)
def test_other_types_are_refused(kind: str) -> None:
    """By the list of those that are read."""
    with pytest.raises(ToolError, match=r"^web: what is there is .* not read; pages, plain text, tables and JSON are$"):
        text_of(kind, b"x", PAGE)


def test_a_document_is_read_where_documents_are() -> None:
    """Nothing of it is parsed here; it is told by its bytes, and what is damaged is one line."""
    assert "Open 9 to 5" in text_of("application/pdf; x=y", pdf(shown(b"Open 9 to 5")), PAGE)
    with pytest.raises(ToolError, match=rf"^{re.escape(PAGE.url)}: it cannot be read as PDF"):
        text_of("application/pdf", b"%PDF-1.4 and no more", PAGE)
