"""The one form of a web address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.errors import ToolError
from armslength.tools.web.address import WebAddress, address_from, web_address

READ_DIFFERENTLY = {
    "a backslash before another host": "http://good.example\\@evil.example/",
    "a host as the name of a user": "http://good.example@evil.example/",
    "a user and a password": "http://user:password@evil.example/",
    "an empty user": "http://@evil.example/",
    "a tab": "https://evil.example/a\tb",
    "a line break": "https://evil.example/\nHost: x",
    "a NUL": "https://evil.example\0.good.example/",
    "a blank before it": " https://evil.example/",
    "a blank in the host": "https://evil.example /",
    "an invisible letter": "https://evil\u200b.example/",
    "a letter that turns the line": "https://evil.example/\u202egpj",
    "half a character": "https://evil.example/\ud800",
    "no scheme": "//evil.example/",
    "no scheme and no slashes": "evil.example",
    "one slash": "https:/evil.example/",
    "three slashes": "https:///evil.example/",
    "backslashes for slashes": "https:\\\\evil.example/",
    "a file": "file:///etc/passwd",
    "a script": "javascript:alert(1)",
    "a text": "data:text/plain,x",
    "an encoded letter in the host": "https://ev%69l.example/",
    "an encoded slash in the host": "https://good.example%2f.evil.example/",
    "a wide letter": "https://ｅvil.example/",
    "the sign of Kelvin": "https://\N{KELVIN SIGN}.example/",
    "a ligature": "https://o\N{LATIN SMALL LIGATURE FFI}ce.example/",
    "a dot of another script": "https://good\N{IDEOGRAPHIC FULL STOP}example/",
    "a soft hyphen": "https://go\u00adod.example/",
    "a hyphen in front": "https://-evil.example/",
    "an empty label": "https://a..b/",
    "two dots at the end": "https://evil.example../",
    "a long label": f"https://{'a' * 64}.example/",
    "a long name": f"https://{'a.' * 127}example/",
    "an underscore": "https://evil_.example/",
    "an address as one number": "http://2130706433/",
    "an address in octal": "http://0177.0.0.1/",
    "an address in hexadecimal": "http://0x7f.0.0.1/",
    "an address of three parts": "http://127.0.1/",
    "a name that ends in a number": "https://evil.example.1/",
    "an address with a zone": "http://[fe80::1%25eth0]/",
    "an address that is none": "http://[::g]/",
    "brackets around a name": "http://[evil.example]/",
    "a port out of range": "https://evil.example:99999/",
    "port zero": "https://evil.example:0/",
    "a port of letters": "https://evil.example:http/",
    "two ports": "https://evil.example:80:443/",
    "overlong": "https://evil.example/" + "a" * 2_000,
    "overlong once it is encoded": "https://evil.example/" + "ä" * 700,
    "nothing": "",
    "a scheme alone": "https://",
}


@pytest.mark.parametrize("url", READ_DIFFERENTLY.values(), ids=READ_DIFFERENTLY)
def test_what_parsers_read_differently_is_refused(url: str) -> None:
    """It has no host that could be decided on."""
    with pytest.raises(ToolError, match=r"^web: "):
        web_address(url)


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("HTTP://A.Example.:80?q=ä#f", "http://a.example/?q=%C3%A4"),
        ("https://a.example", "https://a.example/"),
        ("https://a.example:443/x", "https://a.example/x"),
        ("https://a.example:8443/x", "https://a.example:8443/x"),
        ("https://a.example/a/../b/./%2e%2E/c", "https://a.example/c"),
        ("https://a.example/a//b", "https://a.example/a//b"),
        ("https://a.example/%41?x=%20", "https://a.example/%41?x=%20"),
        ("https://a.example/a|b?x='<\">", "https://a.example/a|b?x=%27%3C%22%3E"),
        ("https://münchen.example/straße", "https://xn--mnchen-3ya.example/stra%C3%9Fe"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://xn--mnchen-3ya.example/", "https://xn--mnchen-3ya.example/"),
        ("https://аррӏе.example/", "https://xn--80ak6aa92e.example/"),
        ("https://93.184.215.14/", "https://93.184.215.14/"),
        ("https://[2606:4700:0:0::1]:8443/", "https://[2606:4700::1]:8443/"),
        ("https://[::FFFF:127.0.0.1]/", "https://[::ffff:7f00:1]/"),
    ],
)
def test_the_one_form(written: str, url: str) -> None:
    """Case, default port, dots, fragment, and what needs to be encoded; letters of other scripts in a host are shown encoded."""
    assert web_address(written).url == url


def test_the_parts_are_those_of_the_one_form() -> None:
    """Nothing that was written comes along beside it."""
    assert web_address("HTTPS://A.Example:444/b/../c?d#e") == WebAddress(
        "https://a.example:444/c?d", "https", "a.example", 444, "/c?d"
    )


@given(
    st.text()
    | st.from_regex(r"https?://[a-zA-Z0-9.\-ßä_\[\]:]{1,12}(:\d{1,3})?[/?#][\x20-\x7eä.%2eE/]{0,12}", fullmatch=True)
)
def test_the_one_form_is_its_own_form(text: str) -> None:
    """Any text is refused, or made into something that stays as it is, plain and without what could name a user."""
    try:
        found = web_address(text)
    except ToolError:
        return
    assert web_address(found.url) == found
    assert found.url.isascii()
    assert found.url.isprintable()
    assert not set(found.url) & set("\\ #")
    assert "@" not in found.url.split("/")[2]


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("/x", "https://a.example/x"),
        ("x?y", "https://a.example/b/x?y"),
        ("../../../x", "https://a.example/x"),
        ("//b.example/x", "https://b.example/x"),
        ("http://b.example", "http://b.example/"),
        ("?z", "https://a.example/b/c?z"),
    ],
)
def test_a_link_leads_from_its_page(link: str, url: str) -> None:
    """As a browser reads it."""
    assert address_from(web_address("https://a.example/b/c?d"), link).url == url


@pytest.mark.parametrize(
    "link",
    ["//user@b.example/", "\\\\b.example", "mailto:a@b.example", "https://b\t.example", "https://[", "x" * 3_000],
)
def test_a_link_that_leads_to_no_plain_address_is_refused(link: str) -> None:
    """Joining it to its page makes nothing plain of it."""
    with pytest.raises(ToolError, match=r"^web: "):
        address_from(web_address("https://a.example/b/c?d"), link)
