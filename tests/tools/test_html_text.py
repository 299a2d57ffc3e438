"""HTML from outside as text: what is kept, what is marked, what it may cost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.tools.text.html_bare import without_structure
from armslength.tools.text.html_text import MOST_CHARACTERS, html_to_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("<p>One<p>Two <b>bold</b>  and\n more<br>new line", "One\n\nTwo bold and more\nnew line"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<h1>Title</h1>text", "Title\n\ntext"),
        ("<ul><li>one<li>two</ul>", "- one\n- two"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c<td></tr></table>", "a | b\nc"),
        ("<table><tr><td></td><td><p>layout</p></td></tr></table>", "layout"),
        ("said:<blockquote>q1<blockquote>q2</blockquote></blockquote>end", "said:\n\n> q1\n>\n> > q2\n>\nend"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("&lt;b&gt; &amp; &eacute;", "<b> & é"),
        ('<a href="https://x.example/a b?q=1">here</a>', "here (https://x.example/ab?q=1)"),
        ('<a href="java\nscript:alert(1)">here</a> <a href="#top">top</a>', "here (javascript link) top"),
        ('<a href="data:text/html,SECRET">d</a>', "d (data link)"),
        ('<img src="https://x.example/p.png?d=SECRET" alt="a [logo]"><img src=x>', "[image: a (logo)][image]"),
        ('<img src="https://x.example/t.gif" width=1 height=1>after', "after"),
        ("<script>alert(1)</script><style>p{}</style><!-- note --><title>t</title>text", "text"),
        ("broken <b <i>markup</p></div> >", "broken markup\n\n>"),
    ],
)
def test_structure_becomes_lines(html: str, text: str) -> None:
    """Blocks become lines, links show where they lead, images show no address."""
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY : NONE !important",
        "dis/**/play:block;display:none",
        "visibility:hidden",
        "opacity:0",
        "opacity:.01",
        "opacity: 0%",
        "font-size:0",
        "font-size:0.1px",
        "font-size: 0em",
        "color:#fff;background-color:white",
        "color:#FEFEFE",
        "color:rgb(255, 255, 255)",
        "background:#000;color:rgb(0 0 0)",
        "width:0",
        "height:0px;overflow:hidden",
        "max-height:0",
        "position:absolute;left:-9999px",
        "text-indent:-9999px",
        "mso-hide:all",
        "clip:rect(0,0,0,0);position:absolute",
        "clip-path:inset(50%)",
        "transform:scale(0)",
        "filter:opacity(0)",
    ],
)
def test_hidden_text_is_marked(style: str) -> None:
    """Text that a mail program does not show is kept and marked, whichever way it was hidden."""
    assert html_to_text(f'<p>Hi <span style="{style}">obey <b>me</b></span> there') == "Hi [hidden text: obey me] there"


@pytest.mark.parametrize(
    "html",
    [
        "<style>.x{display:none}</style><p>Hi <span class='a x'>obey me</span> there",
        "<style>#x{color:red} p #x, .y {visibility:hidden}</style><p>Hi <span id=x>obey me</span> there",
        "<style>span{font-size:0}</style><p>Hi <span>obey me</span> there",
        "<style>/* a */ p > span.x {opacity:0}</style><p>Hi <span class=x>obey me</span> there",
        "<style>@media screen{.x{display:none}}</style><p>Hi <span class=x>obey me</span> there",
        "<style>@media print{b{color:red}} .x{display:none}</style><p>Hi <span class=x>obey me</span> there",
        "<p>Hi <span hidden>obey me</span> there",
        "<p>Hi <font color=white>obey me</font> there",
        "<body bgcolor=black text=#000000><font color=white>Hi </font>obey me<font color=white> there",
        "<p>Hi <span style=display:none>obey <span style=display:inline>me</span></span> there",
    ],
)
def test_text_hidden_by_rules_and_attributes_is_marked(html: str) -> None:
    """Rules by tag, class and id, attributes, and what is inherited are looked at."""
    assert html_to_text(html) == "Hi [hidden text: obey me] there"


def test_tiny_text_is_marked() -> None:
    """Text under four pixels is kept and marked as tiny."""
    assert html_to_text('<p>Hi <font style="font-size:1pt">obey</font>') == "Hi [tiny text: obey]"
    assert (
        html_to_text('<p style="font-size:10px">Hi <small style="font-size:20%">obey</small>') == "Hi [tiny text: obey]"
    )


@pytest.mark.parametrize(
    "html",
    [
        '<div style="font-size:0"><span style="font-size:14px">shown</span></div>',
        '<table bgcolor="#0000ff"><tr><td style="color:#fff">shown</td></tr></table>',
        '<div style="background:url(x.png)"><span style="color:#fff">shown</span></div>',
        "<style>@media (max-width:600px){p{display:none}} @media print{p{display:none}}</style><p>shown",
        "<style>.a p{display:none}</style><p>shown",
        '<table width="0"><tr><td width="0">shown</td></tr></table>',
        "<style>@media (prefers-color-scheme:dark){p{color:#fff}}</style><p>shown",
        '<p style="color:transparent-ish;opacity:1;font-size:100%">shown',
    ],
)
def test_usual_layout_is_not_marked(html: str) -> None:
    """What newsletters do without hiding anything stays unmarked."""
    assert html_to_text(html) == "shown"


def test_a_mark_cannot_be_closed_from_inside() -> None:
    """Square brackets in hidden text become round, and each line has its own mark."""
    assert (
        html_to_text('<div style="display:none">a] now [visible<br>b<img alt="c]"></div>d')
        == "[hidden text: a) now (visible]\n[hidden text: b(image: c))]\nd"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 80_000 + "x",
        "<div><!--</div>-->" * 50_000 + "x",
        "<a " + " ".join(f"a{i}=1" for i in range(80_000)) + ">x",
        "<b id=1><p>" * 50_000 + "x",
        "<b id=1><object></b></object>" * 30_000 + "x",
        '<a x"><div>' * 40_000 + '"x',
        '<a ="><div>' * 40_000 + '"x',
        "<svg><![CDATA[<!--]]>" + "<div>" * 80_000 + "-->x",
        "<svg><style>" + "<div>" * 80_000 + "</style>x",
    ],
)
def test_costly_nesting_is_read_without_structure(html: str) -> None:
    """Pages whose parse would take minutes are read as bare text in a moment, and say so."""
    before = time.process_time()
    text = html_to_text(html)
    assert time.process_time() - before < 5
    assert text.startswith("[too deeply nested to be read as a page: text may have been hidden]\n")


@pytest.mark.parametrize(
    "html",
    [
        "<td><p>x" * 30_000,
        "<style>" + "".join(f"td{{width:{i}px}}" for i in range(2000)) + "</style><table>" + "<td>x" * 50_000,
        "<" * 500_000,
        "<style>" + "a{" * 50_000,
        '<a b="' * 100_000,
        "<style>" + "/*" * 90_000,
        "<p style='" + "color:" * 90_000,
    ],
)
def test_large_pages_are_read_in_bounded_time(html: str) -> None:
    """Work is bounded whatever the page repeats."""
    before = time.process_time()
    html_to_text(html)
    assert time.process_time() - before < 10


def test_rules_past_the_bound_are_reported() -> None:
    """When rules are no longer compared with elements, the text says so."""
    html = "<style>" + "".join(f"td{{width:{i + 1}px}}" for i in range(2000)) + "</style><table>" + "<td>x" * 200
    assert html_to_text(html).endswith("\n[styles were not read to the end: text may have been hidden]")


def test_a_cut_is_visible() -> None:
    """What does not fit is never dropped silently."""
    assert html_to_text("<p>" + "a" * MOST_CHARACTERS).endswith("a\n[cut here: 3 more characters of HTML]")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("&#" + "9" * 5_000 + ";", "\ufffd"),
        ("&#x" + "f" * 5_000 + "; a", "\ufffd a"),
        ("&#" + "0" * 5_000 + "65; &#X" + "0" * 5_000 + "42", "A B"),
        ("&#" + "0" * 5_000 + "38;lt; &amp;#" + "9" * 5_000 + ";", "&lt; &#" + "9" * 5_000 + ";"),
        ("&#65; &lt;b&gt; &#128; &#12345678;", "A <b> € \ufffd"),
    ],
    ids=["digits", "hexadecimal", "zeros", "read once", "usual"],
)
def test_references_of_any_length_are_read(html: str, text: str) -> None:
    """Python makes no number of thousands of digits: of a reference that is longer than a character's no number is made."""
    assert without_structure(html, "why") == f"[why]\n{text}"


@given(st.text(st.sampled_from("<>/!-='\" abdivspntl\x00\x1c\ud800{}:;.#&")) | st.text())
def test_any_text_is_read(html: str) -> None:
    """No string makes the reader fail, and the result can be encoded."""
    html_to_text(html).encode()
    html_to_text("<style>" + html).encode()
    html_to_text(f'<p style="{html}">x</p>').encode()
