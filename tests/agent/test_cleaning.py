"""What reaches a terminal or a page after cleaning."""

from __future__ import annotations

import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from armslength.agent.showing.cleaning import bears_name, clean, clean_line, inert_links, lookalike
from armslength.app.table import KINDS, SINGLE
from armslength.policy.action import in_line

TRICKY = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cc", "Cf", "Cs", "Mn", "Zs", "Co"]),
        st.sampled_from("a1#\r\n\t \u200d\u200c\ufe0f\ufe0e\u20e3\U0001f468\U0001f3fb\U0001f1e9\u0915\u094d\u0301⟩⟨"),
    )
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("invoice\u202egpj.exe", "invoice⟨U+202E⟩gpj.exe"),
        ("\x1b[2J\x1b]52;c;aGk=\x07", "⟨U+001B⟩[2J⟨U+001B⟩]52;c;aGk=⟨U+0007⟩"),
        (
            "\x1b]8;;https://evil.example\x1b\\bank\x1b]8;;\x1b\\",
            "⟨U+001B⟩]8;;https://evil.example⟨U+001B⟩\\bank⟨U+001B⟩]8;;⟨U+001B⟩\\",
        ),
        ("\x9b31m\x7f", "⟨U+009B⟩31m⟨U+007F⟩"),
        ("a\tb\r\nc\rd", "a    b\nc⟨U+000D⟩d"),
        ("pay\u200bpal \u2066x\u2069\ufeff", "pay⟨U+200B⟩pal ⟨U+2066⟩x⟨U+2069⟩⟨U+FEFF⟩"),
        ("\u200b" * 40 + "x", "⟨U+200B×40⟩x"),
        ("hi" + "".join(chr(0xE0000 + ord(c)) for c in "go"), "hi⟨U+E0067⟩⟨U+E006F⟩"),
        ("a\u2028b\u2029c\u0085d", "a⟨U+2028⟩b⟨U+2029⟩c⟨U+0085⟩d"),
        ("\ud800", "⟨U+D800⟩"),
        ("x\ufe0fy\U000e0100", "x⟨U+FE0F⟩y⟨U+E0100⟩"),
        ("a\u00a0b\u3000c", "a b c"),
        ("z\u0301\u0302\u0303\u0304\u0305\u0306", "z\u0301\u0302\u0303\u0304⟨U+0305⟩⟨U+0306⟩"),
        ("\u0301x\n\u0301", "\u25cc\u0301x\n\u25cc\u0301"),
        ("\u2800\u3164\u115f\ue000", "⟨U+2800⟩⟨U+3164⟩⟨U+115F⟩⟨U+E000⟩"),
    ],
)
def test_what_acts_or_hides_becomes_a_visible_mark(text: str, shown: str) -> None:
    """Each kind of hidden or acting character is shown by its code point."""
    assert clean(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧\u200d👦 👍🏽 ❤\ufe0f 🏳\ufe0f\u200d🌈 👩🏿\u200d🚀",
        "🇩🇪🇫🇷 1\ufe0f\u20e3 #\u20e3",
        "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "gbsct") + "\U000e007f",
        "Größe, naïve, e\u0301te\u0301, Ελλάδα, Привет, 日本語、中文",
        "שָׁלוֹם عَرَبِيّ",
        "می\u200cخواهم",
        "क्\u200dष श्\u200cर हिन्दी",
        "สวัสดีครับ บ้านที่",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    """Emoji sequences, flags and the marks and joiners of real scripts are left alone."""
    assert clean(text) == text


def test_a_line_stays_one_line() -> None:
    """clean_line shows where the newlines were."""
    assert clean_line("To: me\r\nBcc: you\n") == "To: me⏎Bcc: you⏎"


@given(st.text(st.sampled_from("\n" + "".join(map(chr, range(32, 127))))))
def test_plain_ascii_is_unchanged(text: str) -> None:
    """Cleaning changes nothing in printable ASCII."""
    assert clean(text) == text


@given(TRICKY)
@example("\u094d\u0301\u0301\u0301\u0301\u094d\u200da")
@example("👍\ufe0f\ufe0e\ufe0f\u200d\u200d")
def test_no_text_leaves_anything_that_acts(text: str) -> None:
    """No control, bidi, tag, surrogate, unassigned or private character is left; joiners and selectors follow a base."""
    shown = clean(text)
    for before, char in zip("\n" + shown, shown, strict=False):
        if char in "\u200d\u200c\ufe0f\ufe0e":
            assert before not in "\n ⟩" and (not before.isascii() or char == "\ufe0f"), ascii(shown)
        elif 0xE0000 <= ord(char) < 0xE0080:
            assert "\U0001f3f4" in shown, ascii(shown)
        elif not 0x1F000 <= ord(char) <= 0x1FAFF:  # reserved for pictographs: newer emoji than this Python knows
            assert char == "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"), ascii(
                shown
            )
    assert "\n" not in clean_line(text)
    shown.encode()


@given(TRICKY)
@example("\u094d\u0301\u0301\u0301\u0301\u094d\u200da")
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    """Cleaning is idempotent, for texts and for lines."""
    assert clean(clean(text)) == clean(text)
    assert clean_line(clean_line(text)) == clean_line(text)


@given(TRICKY)
def test_no_line_is_lost(text: str) -> None:
    """The number of newlines stays the same, so nothing moves to another line."""
    assert clean(text).count("\n") == text.replace("\r\n", "\n").count("\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see https://evil.example/?d=1", "see https[:]//evil.example/?d=1"),
        ("HTTP://X ftp://y custom+x://z", "HTTP[:]//X ftp[:]//y custom+x[:]//z"),
        ("www.evil.example and WWW2.x", "www[.]evil.example and WWW2[.]x"),
        (
            "mailto:a@b.example javascript:alert(1) data:text/html,x",
            "mailto[:]a@b.example javascript[:]alert(1) data[:]text/html,x",
        ),
        ("![logo](//evil.example/x.png) [here](x)", "! [logo] (//evil.example/x.png) [here] (x)"),
        ("Date: today. The data: 3", "Date: today. The data: 3"),
    ],
)
def test_links_are_broken_visibly(text: str, shown: str) -> None:
    """Nothing that a terminal or a page turns into a link is left, and the reader still sees where it led."""
    assert inert_links(text) == shown
    assert inert_links(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<img src=//evil.example/4711>", "< img src=//evil.example/4711>"),
        ("<IMG/src=//evil.example/4711>", "< IMG/src=//evil.example/4711>"),
        ("<style>@import'//evil.example'</style>", "< style>@import'//evil.example'< /style>"),
        ("<!-- <svg:image\n<img", "< !-- < svg:image\n< img"),
        ("![a][b]\n\n[b]: //evil.example/4711", "! [a][b]\n\n[b] : //evil.example/4711"),
        ("<x.y style=background:url(//evil.example/)>", "< x.y style=background:url(//evil.example/)>"),
        ("<b_ style='background:url(//evil.example/)'>", "< b_ style='background:url(//evil.example/)'>"),
        ("<b\u0301/style=x>", "< b\u0301/style=x>"),
        ("<b'\" style=x></b'\">", "< b'\" style=x>< /b'\">"),
        ("<a@b.example style=background:url(//evil.example/)>", "< a@b.example style=background:url(//evil.example/)>"),
        ("<a@b.example/style=background:url(//evil.example/)>", "< a@b.example/style=background:url(//evil.example/)>"),
        ("<a@b.example", "< a@b.example"),
        ("</1 hidden>i<n+1", "< /1 hidden>i< n+1"),
        (
            "Julia <julia@example.com>, a < b, x <3, 1<2, <-, <=, <é>",
            "Julia <julia@example.com>, a < b, x <3, 1<2, <-, <=, <é>",
        ),
    ],
)
def test_what_needs_no_scheme_is_broken_too(text: str, shown: str) -> None:
    """Tags, and what a Markdown image or link names: their address may begin with the host."""
    assert inert_links(text) == shown
    assert inert_links(shown) == shown


@given(
    st.lists(
        st.sampled_from([*"wW2.:/[]()! adx<>", "www", "mailto", "data", "<img", "<", "_", "@b>", "\u0301", "'", "]:"])
    ).map("".join)
)
@example("www.(x")
@example("!://x")
def test_breaking_links_twice_is_breaking_once(text: str) -> None:
    """inert_links is idempotent and leaves no scheme and no Markdown link."""
    shown = inert_links(text)
    assert inert_links(shown) == shown
    assert not any(live in shown for live in ("://", "](", "![", "]:", "<img "))
    assert not _Tags(shown).found


class _Tags(HTMLParser):
    """The tags with attributes that somebody else's reader of HTML finds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if attrs or "@" not in tag:
            self.found.append(tag)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("alice@example.com", None),
        ("example.com", None),
        (
            "b\u043ess@example.com",
            "b\u043ess@example.com looks like boss@example.com but is written with other letters",
        ),
        ("a@p\u0430ypal.com", "a@p\u0430ypal.com looks like a@paypal.com but is written with other letters"),
        ("a@xn--pypal-4ve.com", "a@xn--pypal-4ve.com: xn--pypal-4ve stands for “p\u0430ypal”"),
        ("a@xn--\ud83d.com", "a@xn--⟨U+D83D⟩.com holds characters that are not what they seem"),
        ("a@exa\u200bmple.com", "a@exa⟨U+200B⟩mple.com holds characters that are not what they seem"),
        (
            "boss@example.com@evil.example",
            "boss@example.com@evil.example holds more than one @; the part after the last one counts",
        ),
        ("a@дomain.example", "a@дomain.example mixes Cyrillic and Latin letters"),
        ("a@münchen.example", "a@münchen.example has letters outside ASCII; compare it letter by letter"),
        ("a@日本ひらがな.example", "a@日本ひらがな.example has letters outside ASCII; compare it letter by letter"),
    ],
)
def test_an_address_that_may_mislead_is_explained(address: str, why: str | None) -> None:
    """Other scripts, hidden characters and punycode are named in one line."""
    assert lookalike(address) == why


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("boss@rnicrosoft.com", "boss@rnicrosoft.com looks like it@microsoft.com but is another address"),
        ("b0b@example.com", "b0b@example.com looks like bob@example.com but is another address"),
        ("x@example.com.evil.net", "x@example.com.evil.net begins with example.com but belongs to another domain"),
        ("BOB@example.com", None),
        ("carol@example.com", None),
        ("bob@example.org", "bob@example.org looks like bob@example.com but is another address"),
        ("bob@exmaple.com", "bob@exmaple.com looks like bob@example.com but is another address"),
        ("bob@exampl.com", "bob@exampl.com looks like bob@example.com but is another address"),
        ("bob@exampie.com", "bob@exampie.com looks like bob@example.com but is another address"),
        ("bob@exomplo.com", None),
        ("carol@exmaple.com", None),
        ("bob@other.example", None),
    ],
)
def test_an_address_close_to_a_known_one_is_explained(address: str, why: str | None) -> None:
    """ASCII look-alikes are found by comparison with the addresses that the person deals with."""
    assert lookalike(address, ["bob@example.com", "it@microsoft.com"]) == why


@pytest.mark.parametrize("called", ["K\u00edm Berg", "Ki\u0301m Berg", "\uff2b\uff49\uff4d Berg"])
def test_an_accent_makes_no_other_name(called: str) -> None:
    """Nor do wide letters: who is known without one is meant."""
    assert bears_name(called, "Kim Berg")


@given(TRICKY)
def test_looking_at_any_address_gives_one_clean_line(text: str) -> None:
    """Lookalike never raises, and what it says is itself clean."""
    why = lookalike(text, ["bob@example.com"])
    assert why is None or why == clean_line(why)


def test_letters_that_are_passed_over_are_visible() -> None:
    """Each character that cleaning leaves alone has a visible category in this Python's Unicode."""
    codes = [*range(0xA0, 0x2_0000), *range(0xE_0000, 0xE_1000)]
    shown = clean("\n".join(map(chr, codes))).split("\n")
    kept = [chr(code) for code, line in zip(codes, shown, strict=True) if line == chr(code)]
    assert {unicodedata.category(char)[0] for char in kept if not 0x1F000 <= ord(char) <= 0x1FAFF} == set("LMNPS")
    assert not {"\xad", "\u2800", "\u3164", "\ufeff", "\u061c"} & set(kept)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x-app:go", "x-app[:]go"),
        ("x-x-x-app:go", "x-x-x-app[:]go"),
        ("x-app go mailto:a", "x-app go mailto[:]a"),
        ("x-a1-mailto:a", "x-a1-mailto[:]a"),
        ("sips:a sip:a", "sips[:]a sip[:]a"),
        ("x-app: go", "x-app: go"),
    ],
)
def test_a_scheme_is_found_wherever_its_name_ends(text: str, shown: str) -> None:
    """A private scheme is read whole, with or without a colon behind it, and hides no other."""
    assert inert_links(text) == shown


@pytest.mark.parametrize("name", [*(f"{kind}:a.txt" for kind in (*KINDS, "mailbox")), *SINGLE])
def test_the_name_of_a_source_is_no_link_and_not_torn_apart(name: str) -> None:
    """Whatever its kind; one that is a scheme as well has a blank behind it."""
    said = in_line(name)
    assert inert_links(said) == said
    assert said.replace(": ", ":") == name
