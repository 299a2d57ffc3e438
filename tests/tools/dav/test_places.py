"""Paths and origins: one spelling, and nothing that leads elsewhere."""

from __future__ import annotations

import pytest

from armslength.errors import ConfigError
from armslength.tools.dav.places import Origin, Place, is_member, named_place, place_of

HOME = Origin("https", "dav.example.com", 443)


@pytest.mark.parametrize(
    ("reference", "path"),
    [
        ("/", "/"),
        ("/a/b.ics", "/a/b.ics"),
        ("/a/", "/a/"),
        ("/%61/%7Eb", "/a/~b"),
        ("/ü b.ics", "/%C3%BC%20b.ics"),
        ("/kim@example.com/x", "/kim@example.com/x"),
        ("https://DAV.example.com/a", "/a"),
        ("https://dav.example.com:443/a", "/a"),
    ],
)
def test_a_path_has_one_spelling(reference: str, path: str) -> None:
    """Escaped or not, with its origin or without."""
    assert named_place(reference, HOME) == Place(HOME, path)


@pytest.mark.parametrize(
    "reference",
    [
        "", "a.ics", "../a", "/a/../b", "/a/%2e%2E/b", "/a/./b", "/a//b", "/a%2fb", "/a%5Cb", "/a\\b", "/a%00", "/a\nb", "/a%0d%0aHost:x",
        "/%ff", "//evil.example/a", "/a?b", "/a#b", "https://kim:pw@dav.example.com/a", "ftp://dav.example.com/a", "https:///a",
        "https://dav.example.com:0/a", "https://dav.example.com:99999/a", "https://[::1/a", "/" + "a" * 3_000, "javascript:alert(1)",
    ],
)  # fmt: skip
def test_what_is_no_place_is_none(reference: str) -> None:
    """Upwards, twice encoded, with line breaks, with a user, of another scheme."""
    assert named_place(reference, HOME) is None


@pytest.mark.parametrize(
    "url", ["dav.example.com", "https://kim:pw@dav.example.com/", "https://x/?a", "file:///etc/passwd", ""]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    """By the name of its setting, without what stood there."""
    with pytest.raises(ConfigError) as caught:
        place_of(url, "calendar.work.url")
    assert str(caught.value) == (
        "calendar.work.url is no plain address; write it like https://dav.example.com/ without a password in it"
    )


def test_members_lie_directly_in_their_collection() -> None:
    """Not the collection itself, nothing below another one, nothing beside."""
    found = [path for path in ("/a/", "/a/b", "/a/b/", "/a/b/c", "/ab", "/") if is_member(path, "/a/")]
    assert found == ["/a/b"]


@pytest.mark.parametrize(
    ("here", "there", "leads"),
    [
        (("https", "a", 443), ("https", "a", 443), True),
        (("http", "a", 80), ("https", "a", 443), True),
        (("http", "a", 8080), ("https", "a", 8080), True),
        (("https", "a", 443), ("http", "a", 80), False),
        (("https", "a", 443), ("https", "b", 443), False),
        (("https", "a", 443), ("https", "a", 444), False),
        (("http", "a", 80), ("https", "b", 443), False),
        (("http", "a", 8080), ("https", "a", 443), False),
    ],
)
def test_credentials_go_to_their_origin_or_its_upgrade(
    here: tuple[str, str, int], there: tuple[str, str, int], *, leads: bool
) -> None:
    """Never to another host or port, never back to http."""
    assert Origin(*here).leads_to(Origin(*there)) is leads
