"""A collection kept up to date by what changed, and changes that overwrite nothing: on a real server, and on one that lies."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.servers.dav_hostile import CALENDAR, Hostile, Reply, answer, multistatus, response
from tests.servers.dav_radicale import Radicale
from tests.tools.dav.conftest import event, files_in, settings_for

from armslength.errors import ToolError
from armslength.tools.dav import collection as room
from armslength.tools.dav.collection import Collection
from armslength.tools.dav.connection import Connection
from armslength.tools.dav.discovery import Found, chosen

DAY = "DTSTART:20261201T090000Z"


def _on(server: Radicale, path: str, state: Path) -> Collection:
    connection = Connection(settings_for(server.url.rstrip("/") + path))
    (found,) = chosen(connection, "calendar")
    return Collection(connection, "calendar", found, state)


def _shown(collection: Collection) -> dict[str, str]:
    """The titles by the last part of the path."""
    found = {}
    for item in collection.listed().items:
        lines = item.content.decode().split("\r\n")
        found[item.path.rpartition("/")[2]] = next(line[8:] for line in lines if line.startswith("SUMMARY:"))
    return found


def test_what_changed_elsewhere_is_seen(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> None:
    """Made, changed and removed by another program, between two listings."""
    path = collection()
    here = _on(server, path, tmp_path)
    assert _shown(here) == {}
    server.put(f"{path}a.ics", event("a", DAY, "SUMMARY:Tea"))
    server.put(f"{path}b.ics", event("b", DAY, "SUMMARY:Chess"))
    assert _shown(here) == {"a.ics": "Tea", "b.ics": "Chess"}
    server.put(f"{path}b.ics", event("b", DAY, "SUMMARY:Go"))
    server.remove(f"{path}a.ics")
    assert _shown(here) == {"b.ics": "Go"}
    assert _shown(_on(server, path, tmp_path)) == {"b.ics": "Go"}


def test_the_copy_is_the_persons_alone(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> None:
    """Every file of it has mode 600, and a copy that cannot be read is made anew."""
    path = collection()
    server.put(f"{path}a.ics", event("a", DAY, "SUMMARY:Tea"))
    here = _on(server, path, tmp_path / "copies")
    assert _shown(here) == {"a.ics": "Tea"}
    files = files_in(tmp_path / "copies")
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    next(file for file in files if file.suffix == ".sqlite").write_bytes(b"no database" * 1_000)
    assert _shown(here) == {"a.ics": "Tea"}


def test_a_change_overwrites_nothing(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> None:
    """Created only where nothing lies, changed and removed only as it was seen."""
    path = collection()
    here = _on(server, path, tmp_path)
    name, first = f"{path}a.ics", event("a", DAY, "SUMMARY:Tea").encode()
    assert here.create(name, first)
    assert not here.create(name, event("a", DAY, "SUMMARY:Other").encode())
    seen = here.read(name)
    assert seen is not None
    server.put(name, event("a", DAY, "SUMMARY:Coffee"))
    for change in (lambda: here.replace(name, first, seen.etag), lambda: here.remove(name, seen.etag)):
        with pytest.raises(ToolError, match="it was changed meanwhile, so nothing was overwritten; ask again"):
            change()
    assert _shown(here) == {"a.ics": "Coffee"}
    now = here.read(name)
    assert now is not None
    here.replace(name, first, now.etag)
    again = here.read(name)
    assert again is not None
    here.remove(name, again.etag)
    assert (here.read(name), _shown(here)) == (None, {})


def test_which_of_several_is_meant(server: Radicale, tmp_path: Path) -> None:
    """By the name in the configuration; a name that nothing or two have names none."""
    titles = ("Only one", "One of two", "One of two")  # names that no other test gives
    for number, title in enumerate(titles):
        server.make(f"/kim/named{number}/", "addressbook", title)
    url = f"{server.url}kim/"
    found = chosen(Connection(settings_for(url, collection="Only one")), "addressbook")
    assert [each.path for each in found] == ["/kim/named0/"]
    for name, count in (("One of two", "more than one"), ("None of them", "no")):
        with pytest.raises(ToolError) as caught:
            chosen(Connection(settings_for(url, collection=name)), "addressbook")
        assert str(caught.value) == (
            f"calendar.work: there is {count} address book of the name in calendar.work.collection; correct it, or write the address of one "
            "in calendar.work.url"
        )


# A server that lies

WORK = Found("/cal/", "Work")
TEXT = event("a", DAY, "SUMMARY:Tea")


def _at(liar: Hostile, state: Path) -> Collection:
    return Collection(Connection(settings_for(f"{liar.url}cal/")), "calendar", WORK, state)


def _etag(tag: str) -> str:
    return f'<d:getetag>"{tag}"</d:getetag>'


def _given(name: str, text: str = TEXT, tag: str = "1") -> str:
    return response(f"/cal/{name}", f"{_etag(tag)}<c:calendar-data>{text}</c:calendar-data>")


def _reports(liar: Hostile, *replies: Reply) -> None:
    """What reports are answered, one after the other: synchronisation and contents come alike."""
    liar.says["REPORT /cal/"] = list(replies)


def _tags(liar: Hostile, *tags: str) -> None:
    liar.says["PROPFIND /cal/"] = [
        multistatus(response("/cal/", f"<s:getctag>{tag}</s:getctag>{CALENDAR}")) for tag in tags
    ]


def test_names_outside_the_collection_are_none_of_it(liar: Hostile, tmp_path: Path) -> None:
    """Other hosts, other folders, dots, the collection itself: neither asked for nor kept, whatever the server says of them."""
    _tags(liar, "1")
    names = [
        "http://evil.example/cal/x.ics",
        "/other/x.ics",
        "/cal/../x.ics",
        "/cal/%2e%2e/x.ics",
        "/cal/b/x.ics",
        "/cal/",
        "x.ics",
    ]
    _reports(
        liar,
        multistatus(*(response(name, _etag("1")) for name in [*names, "/cal/a.ics"]), token="t1"),
        multistatus(
            _given("a.ics"),
            *(response(name, f"{_etag('1')}<c:calendar-data>{TEXT}</c:calendar-data>") for name in names),
        ),
    )
    assert _shown(_at(liar, tmp_path)) == {"a.ics": "Tea"}
    assert {each.split(" ")[1] for each in liar.heard} == {"/cal/"}


def test_a_path_outside_is_not_written_to(liar: Hostile, tmp_path: Path) -> None:
    """The last check before a change, whoever gave the path."""
    here = _at(liar, tmp_path)
    for path in ("/other/a.ics", "/cal/", "/cal/../a.ics", "/cal/b/c.ics"):
        with pytest.raises(ToolError, match="leads out of the collection"):
            here.create(path, b"")
        with pytest.raises(ToolError, match="leads out of the collection"):
            here.remove(path, '"1"')
    assert liar.heard == []


def test_without_synchronisation_the_tags_are_compared(liar: Hostile, tmp_path: Path) -> None:
    """While the collection's own tag stays nothing else is asked; then only what has another entity tag."""
    listing = multistatus(
        response("/cal/", f"<s:getctag>2</s:getctag>{CALENDAR}"),
        response("/cal/a.ics", _etag("1")),
        response("/cal/b.ics", _etag("7")),
    )
    first = multistatus(response("/cal/", f"<s:getctag>1</s:getctag>{CALENDAR}"), response("/cal/a.ics", _etag("1")))
    tag = [multistatus(response("/cal/", f"<s:getctag>{tag}</s:getctag>")) for tag in "12"]
    liar.says["PROPFIND /cal/"] = [tag[0], first, tag[0], tag[1], listing]
    _reports(
        liar,
        answer("501 No"),
        multistatus(_given("a.ics")),
        answer("501 No"),
        multistatus(_given("b.ics", event("b", "SUMMARY:Go"), "7")),
    )
    here = _at(liar, tmp_path)
    assert _shown(here) == {"a.ics": "Tea"}
    before = len(liar.heard)
    assert _shown(here) == {"a.ics": "Tea"}
    assert len(liar.heard) == before + 1
    assert _shown(here) == {"a.ics": "Tea", "b.ics": "Go"}
    assert len(liar.heard) == before + 5


def test_a_forgotten_token_compares_all(liar: Hostile, tmp_path: Path) -> None:
    """A server that does not know its token any more is asked for everything, and only what is new is fetched."""
    _tags(liar, "1", "2")
    _reports(
        liar,
        multistatus(response("/cal/a.ics", _etag("1")), token="t1"),
        multistatus(_given("a.ics")),
        answer("403 Forbidden", '<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>'),
        multistatus(response("/cal/a.ics", _etag("1")), response("/cal/b.ics", _etag("2")), token="t2"),
        multistatus(_given("b.ics", event("b", "SUMMARY:Go"), "2")),
    )
    here = _at(liar, tmp_path)
    assert _shown(here) == {"a.ics": "Tea"}
    assert _shown(here) == {"a.ics": "Tea", "b.ics": "Go"}


def test_a_list_in_pieces_is_followed(liar: Hostile, tmp_path: Path) -> None:
    """Where the server cuts its list short, it is asked for the rest; one that never ends is given up."""
    _tags(liar, "1")
    more = response("/cal/", status="507 Insufficient Storage")
    _reports(
        liar,
        multistatus(response("/cal/a.ics", _etag("1")), more, token="t1"),
        multistatus(response("/cal/b.ics", _etag("1")), token="t2"),
        multistatus(_given("a.ics"), _given("b.ics", event("b", "SUMMARY:Go"))),
        multistatus(more, token="t2"),
    )
    here = _at(liar, tmp_path)
    assert _shown(here) == {"a.ics": "Tea", "b.ics": "Go"}
    with pytest.raises(ToolError) as caught:
        here.listed()
    assert str(caught.value) == "calendar.work: the server tells of changes without end"


def test_what_broke_off_goes_on(liar: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An end in the middle is an error, leaves no half state, and what came before is not asked for again."""
    monkeypatch.setattr(room, "_AT_ONCE", 1)
    _tags(liar, "1")
    both = multistatus(response("/cal/a.ics", _etag("1")), response("/cal/b.ics", _etag("1")), token="t1")
    other = multistatus(_given("b.ics", event("b", "SUMMARY:Go")))
    _reports(liar, both, multistatus(_given("a.ics")), other[:-80], both, other)
    here = _at(liar, tmp_path)
    with pytest.raises(ToolError, match="broke off in the middle"):
        here.listed()
    assert _shown(here) == {"a.ics": "Tea", "b.ics": "Go"}
    assert liar.asked("REPORT") == 5


def test_what_is_named_and_not_given_is_left_out(liar: Hostile, tmp_path: Path) -> None:
    """It is counted, and the rest is there."""
    _tags(liar, "1")
    _reports(
        liar,
        multistatus(*(response(f"/cal/{name}.ics", _etag("1")) for name in "abc"), token="t1"),
        multistatus(_given("a.ics"), response("/cal/b.ics", status="404 Not Found")),
        multistatus(token="t1"),
    )
    here = _at(liar, tmp_path)
    assert (here.listed().left_out, _shown(here)) == (2, {"a.ics": "Tea"})


def test_too_much_at_once_is_asked_for_in_halves(
    liar: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer over the cap is asked for in smaller pieces; one thing that is over it alone is left out."""
    monkeypatch.setattr("armslength.tools.dav.connection.MOST_BYTES", 2_000)
    _tags(liar, "1")
    large = _given("b.ics", event("b", "SUMMARY:Go", f"DESCRIPTION:{'x' * 3_000}"))
    _reports(
        liar,
        multistatus(*(response(f"/cal/{name}.ics", _etag("1")) for name in "ab"), token="t1"),
        multistatus(_given("a.ics"), large),
        multistatus(_given("a.ics")),
        multistatus(large),
        multistatus(token="t1"),
    )
    here = _at(liar, tmp_path)
    assert (here.listed().left_out, _shown(here)) == (1, {"a.ics": "Tea"})


def test_more_than_anybody_has_is_refused(liar: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By number, before anything of it is fetched; by size, once it is."""
    monkeypatch.setattr(room, "MOST_ITEMS", 2)
    _tags(liar, "1")
    _reports(liar, multistatus(*(response(f"/cal/{name}.ics", _etag("1")) for name in "abc"), token="t1"))
    with pytest.raises(ToolError) as caught:
        _at(liar, tmp_path).listed()
    assert str(caught.value) == "calendar.work: more than 2 things lie there; name a smaller collection"
    monkeypatch.setattr(room, "MOST_ALL_BYTES", 10)
    _reports(liar, multistatus(response("/cal/a.ics", _etag("1")), token="t1"), multistatus(_given("a.ics")))
    with pytest.raises(ToolError) as caught:
        _at(liar, tmp_path / "other").listed()
    assert str(caught.value) == "calendar.work: so much lies there that it is not kept; name a smaller collection"


@pytest.mark.parametrize("tag", ['W/"1"', "1", '"a\x7f"', ""])
def test_without_a_strong_tag_nothing_is_changed(liar: Hostile, tmp_path: Path, tag: str) -> None:
    """A weak tag, or none, guards nothing: another's change could be overwritten."""
    liar.says["GET /cal/a.ics"] = [answer("200 OK", TEXT, f"ETag: {tag}")]
    here = _at(liar, tmp_path)
    seen = here.read("/cal/a.ics")
    assert seen is not None
    with pytest.raises(ToolError) as caught:
        here.replace("/cal/a.ics", b"x", seen.etag)
    assert str(caught.value) == (
        "calendar.work: the server gives it no strong ETag, so a change could overwrite another's; nothing was done"
    )
    assert liar.asked("PUT") == 0


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("507 Insufficient Storage", "nothing was changed (HTTP 507): the server has no room left; make some"),
        ("403 Forbidden", "nothing was changed (HTTP 403): the server does not allow it with this account"),
        ("423 Locked", "nothing was changed (HTTP 423): it is locked; try again later"),
        ("301 Moved", "the server says that this lies elsewhere now, so nothing was changed; ask again"),
        ("418 Teapot", "nothing was changed (HTTP 418): the server refuses it"),
    ],
)
def test_a_change_that_is_refused_is_told(liar: Hostile, tmp_path: Path, status: str, told: str) -> None:
    """One clear error for each."""
    liar.says["PUT /cal/a.ics"] = [answer(status, "evil words", "Location: /cal/b.ics")]
    with pytest.raises(ToolError) as caught:
        _at(liar, tmp_path).replace("/cal/a.ics", b"x", '"1"')
    assert str(caught.value) == f"calendar.work: {told}"


def test_a_token_is_text(liar: Hostile, tmp_path: Path) -> None:
    """What a server puts into its token breaks out of no question."""
    _tags(liar, "1")
    evil = "&lt;/d:sync-token&gt;&lt;d:x/&gt;"
    _reports(liar, multistatus(token=evil), multistatus(token=evil))
    here = _at(liar, tmp_path)
    assert (_shown(here), _shown(here)) == ({}, {})
