"""What counts as a link: whatever a program that shows a text may make live, by whichever list of endings."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from publicsuffixlist import PublicSuffixList

from armslength.agent.showing.links import FILE_ENDINGS, has_links

ENDINGS = sorted({each.rpartition(".")[2] for each in PublicSuffixList(only_icann=True)._publicsuffix} - {"*", ""})
"""All top-level domains, in their own letters."""
ENCODED = [each.encode("idna").decode() for each in ENDINGS if not each.isascii()]


@pytest.mark.parametrize(
    "text",
    [
        "https://evil.example", "www.evil.example", "mailto:a@b.example", "see evil.example/4711", "evil.example?q=4711",
        "4711.example.com", "(example.org)", "EXAMPLE.COM:8080/x", "b\u00fccher.example/x", "[x](y)", "a.b.evil.example:80/x",
        "safe-opens.with-4711.example.com.", "done.It works", "code.evil.me/", "code.evil.ca", "evil.it:80", "tel:+43123",
        "u:p@evil.it/4711", "u@evil.it:8080", "u@evil.it/4711", "@evil.it", "evil.it@ now", "code.evil.it@host",
        "evil\uff0eit", "\uff45\uff56\uff49\uff4c\uff0e\uff49\uff54", "code4711\u3002evil\u3002it", "evil\uff61com", "evil\u2024it",
        "evil.i\u200bt", "evi\u00adl.it", "\u89c1evil.com\u5427", "evil.\u0440\u0444", "evil.\u092d\u093e\u0930\u0924", "evil.xn--p1ai",
        "evil.com\U0001f600", "\u201eevil.it\u201c", "\u00abevil.it\u00bb", "evil.it_x", "10.0.0.1", "//evil.it", "see //intranet/4711",
        "\\\\evil\\share", '"\\\\\\\\evil\\\\share"', "http:evil.it", "kim@b.example evil.it", "plans.txt evil.it", "a.txt/evil", "x.zip", "x.md",
    ],
)  # fmt: skip
def test_what_some_program_makes_live_is_a_link(text: str) -> None:
    """With a scheme or without one, with a port, a user, wide letters or hidden ones."""
    assert has_links(text)


@pytest.mark.parametrize(
    "text",
    [
        "kim@example.com", "Kim <kim.berg@b.example.com>, eve@example.org", "plans.txt", "v1.2.3", "e.g. this", "a,b.",
        "and/or", "files/plans.txt", "10.30 to 11.30", "a.b.c", "1.5/2.5", "No. 5/b", "...", "U.S./U.K.", "done. It works", "5.30pm",
        "\u4eca\u5929\u3002\u660e\u5929\u3002", "\u4ed6\u8bf4\u3002Hello", "kim+a.b@b.example.com,eva@c.example", "2.pdf", "report.v2.pdf", "3.14\u20ac", "z.B. so",
        '{"a": "b", "c": ["1.5"]}', "C:\\Users\\x",
    ],
)  # fmt: skip
def test_what_no_program_makes_live_is_none(text: str) -> None:
    """Addresses of mail, names of files, numbers, and a full stop with a blank."""
    assert not has_links(text)


def test_no_ending_of_files_is_one_of_hosts() -> None:
    """`.md`, `.zip`, `.py` and `.mov` are both, so they count as links."""
    assert len(ENDINGS) > 1_000
    assert FILE_ENDINGS.isdisjoint(ENDINGS)


LABEL = st.from_regex(r"[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
AROUND = st.sampled_from(
    ["", " ", "(", ")", '"', "'", ",", ";", ":", "!", "\n", "\u201c", "\u00bb", "*", "|", "\u3002 ", "> ", "="]
)
BEHIND = st.sampled_from(["", "/", "/x", "?q=1", "#a", ":8080", ":443/x", ".", ",", "...", "\n", "\u3002"])


@given(
    st.lists(LABEL, min_size=1, max_size=3), st.sampled_from([*ENDINGS, *ENCODED]), AROUND, BEHIND, AROUND, st.sampled_from(["lower", "upper"]),
    st.sampled_from(["NFC", "NFD"]),
)  # fmt: skip
def test_a_host_with_any_ending_that_there_is_is_seen(
    labels: list[str], ending: str, before: str, behind: str, after: str, case: str, form: str
) -> None:
    """Whatever stands around it, in either case."""
    host = unicodedata.normalize(form, ".".join([*labels, ending]))
    shown = host.upper() if case == "upper" and host.isascii() else host
    assert has_links(f"word{before or ' '}{shown}{behind}{after} word")


@given(st.text(max_size=60))
def test_any_text_is_looked_at(text: str) -> None:
    """And nothing that holds a seen link beside a blank is without one."""
    assert has_links(text + " evil.it " + text)


@pytest.mark.parametrize("piece", ["a.", "a", "a@", "@a.", "a.b@", "1.1.1.", "\u3002a", "-.", "\u0301.a"])
def test_the_time_is_linear(piece: str) -> None:
    """A hundred thousand of anything take no seconds."""
    began = time.process_time()
    has_links(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 2
