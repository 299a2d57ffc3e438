"""The form of the forty everyday requests, and that none was changed since they were frozen."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from armslength.app import load_settings, tools_of
from armslength.demo import build_home
from armslength.demo.attacks import ATTACKS
from armslength.demo.mails import MAILS

FOLDER = Path(__file__).parents[2] / "examples" / "everyday"
NOW = datetime(2027, 5, 10, 9, 30)  # noqa: DTZ001  # local times are naive
Table = dict[str, Any]
REQUESTS: dict[str, Table] = {
    path.name: tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml"))
}
HARMLESS = {name: each for name, each in REQUESTS.items() if each["kind"] == "harmless"}
ATTACKED = {name: each for name, each in REQUESTS.items() if each["kind"] == "attack"}
DEMO_SLUGS = {mail.slug for mail in (*MAILS, *(attack.mail for attack in ATTACKS))}

_WORDS, _PAIRS, _MIXED = [str], [[str]], [str, [str]]
_CONTENT = {"has": _MIXED, "has_not": _WORDS}
_LETTER = {
    "to": _WORDS,
    "answers": str,
    "forwards": str,
    "quotes": str,
    "attachments": _WORDS,
    "or_draft": bool,
    "optional": bool,
    **_CONTENT,
}
_SOURCED = {"written_from": str}
# Of each table its keys, those that it must have first; a list stands for a list of what is in it.
FORM: dict[str, tuple[set[str], Table]] = {
    "": (
        {"request", "kind", "now", "private", "needs", "home", "end", "questions"},
        {"request": str, "kind": str, "now": datetime, "private": str, "needs": _WORDS}
        | {"home": dict, "end": dict, "questions": dict, "attacker": dict, "never": [dict]},
    ),
    "home": (
        set(),
        {"without_mails": _WORDS} | {key: [dict] for key in ("mails", "events", "contacts", "files", "pages")},
    ),
    "home.mails": (
        {"slug", "sender", "subject", "delivered", "is_authenticated", "text"},
        {"slug": str, "sender": str, "subject": str, "delivered": datetime, "is_authenticated": bool, "text": str}
        | {"is_unread": bool, "to": str, "cc": str, "folder": str, "answers": str}
        | {"headers": _PAIRS, "attachments": [dict]},
    ),
    "home.mails.attachments": ({"name", "type", "text"}, {"name": str, "type": str, "text": str}),
    "home.events": (
        {"slug", "title", "start", "minutes"},
        {"slug": str, "title": str, "start": datetime, "minutes": int}
        | {"participants": _WORDS, "location": str, "description": str},
    ),
    "home.contacts": ({"name", "email"}, {"name": str, "email": str, "phone": str} | _SOURCED),
    "home.files": ({"name", "text"}, {"name": str, "text": str} | _SOURCED),
    "home.pages": ({"url", "text"}, {"url": str, "text": str}),
    "end": (
        set(),
        {"answer": dict}
        | {key: [dict] for key in ("mails", "drafts", "events", "events_gone", "files", "pages", "trash")},
    ),
    "end.mails": ({"to", "has"}, _LETTER),
    "end.drafts": ({"to", "has"}, _LETTER),
    "end.events": (
        {"title", "start", "end", "participants"},
        {"title": str, "start": datetime, "end": datetime, "participants": _WORDS, "location": str} | _CONTENT,
    ),
    "end.events_gone": ({"title", "start"}, {"title": str, "start": datetime}),
    "end.files": ({"name", "keeps", "has"}, {"name": str, "keeps": bool} | _CONTENT),
    "end.pages": ({"url"}, {"url": str}),
    "end.trash": ({"slug"}, {"slug": str}),
    "end.answer": ({"has"}, _CONTENT),
    "questions": ({"screens", "why"}, {"screens": int, "why": str, "answer": str}),
    "attacker": ({"source", "place", "how", "wants"}, dict.fromkeys(("source", "place", "how", "wants"), str)),
    "never": (
        {"effect"},
        {"effect": str, "name": str} | dict.fromkeys(("to", "has", "host", "loses"), _WORDS),
    ),
}
ABILITIES = {"change an event", "pass an attachment on", "read an attachment"}
EFFECTS = {"mail": {"to", "has"}, "event": {"to"}, "file": {"name", "loses"}, "page": {"host"}, "leaves": {"has"}}


def faults(table: Table, place: str = "") -> Iterator[str]:
    """What in a table is not of the form, each with its place."""
    needed, allowed = FORM[place]
    yield from (f"{place}: {key} is missing" for key in sorted(needed - table.keys()))
    for key, value in table.items():
        inner = f"{place}.{key}".lstrip(".")
        if key not in allowed:
            yield f"{place}: there is no {key}"
        elif not _is_of(value, allowed[key]):
            yield f"{inner} is of another type"
        elif inner in FORM:
            for each in value if isinstance(value, list) else [value]:
                yield from faults(each, inner)


def _is_of(value: object, kind: object) -> bool:
    if isinstance(kind, list):
        return isinstance(value, list) and all(any(_is_of(each, one) for one in kind) for each in value)
    return isinstance(kind, type) and type(value) is kind


def texts(data: object) -> Iterator[str]:
    """Every text in it; names of keys are none."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from texts(each)


def addresses(data: object) -> set[str]:
    """Every mail address in it."""
    return {found.lower() for text in texts(data) for found in re.findall(r"[\w.+-]+@[\w.-]*\w", text)}


def sends(each: Table) -> bool:
    """Whether somebody learns of something at the right end."""
    end = each["end"]
    return bool(end.get("mails")) or any(event["participants"] for event in end.get("events", []))


def of_each(check: Callable[[Table], object], requests: dict[str, Table] = REQUESTS) -> dict[str, object]:
    """What a check finds, by file; nothing where it finds nothing."""
    return {name: found for name, each in requests.items() if (found := check(each))}


def named_mails(each: Table) -> set[str]:
    """The slugs that the home, the end and the attacker speak of."""
    home, end = each["home"], each["end"]
    letters = [*end.get("mails", []), *end.get("drafts", [])]
    said = {letter[key] for letter in letters for key in ("answers", "forwards", "quotes") if key in letter}
    return {
        *said,
        *home.get("without_mails", []),
        *(mail["slug"] for mail in end.get("trash", [])),
        *(mail["answers"] for mail in home.get("mails", []) if "answers" in mail),
    }


def places(each: Table) -> set[str]:
    """Where an attacker's words may stand."""
    home = each["home"]
    kinds = (("mail", "mails", "slug"), ("event", "events", "slug"), ("contact", "contacts", "name"))
    return {
        f"{kind} {one[key]}" for kind, table, key in (*kinds, ("file", "files", "name")) for one in home.get(table, [])
    }


def test_there_are_twenty_five_harmless_requests_and_then_fifteen_attacks() -> None:
    """They are numbered through from 01 to 40."""
    assert [name[:3] for name in REQUESTS] == [f"{number:02}-" for number in range(1, 41)]
    assert [each["kind"] for each in REQUESTS.values()] == ["harmless"] * 25 + ["attack"] * 15


def test_none_was_changed_since_they_were_frozen() -> None:
    """FROZEN holds the SHA-256 of each file, in the form that `sha256sum -c` reads."""
    now = [f"{hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()}  {name}" for name in REQUESTS]
    assert (FOLDER / "FROZEN").read_text("utf-8").splitlines() == now


def test_every_file_has_the_keys_of_the_form_and_no_others() -> None:
    """An unknown key would be an expectation that nobody checks."""
    assert of_each(lambda each: list(faults(each))) == {}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"end": {"mails": [{"to": ["a@example.com"]}]}}, "end.mails: has is missing"),
        ({"home": {"mail": []}}, "home: there is no mail"),
        ({"questions": {"screens": True, "why": "x"}}, "questions.screens is of another type"),
        ({"end": {"answer": {"has": [["a", 1]]}}}, "end.answer.has is of another type"),
        ({"surplus": ""}, ": there is no surplus"),
    ],
)
def test_what_is_not_of_the_form_is_seen(change: Table, found: str) -> None:
    """The check reports what it is there to report."""
    assert list(faults({**next(iter(REQUESTS.values())), **change})) == [found]


def test_attacks_alone_have_an_attacker_and_what_he_must_not_get() -> None:
    """His words stand in something that the file adds to the home, and each effect has something to be known by."""
    assert of_each(lambda each: {"attacker", "never"} & each.keys(), HARMLESS) == {}
    assert of_each(lambda each: not each["never"] or each["attacker"]["place"] not in places(each), ATTACKED) == {}
    for each in ATTACKED.values():
        for effect in each["never"]:
            conditions = effect.keys() - {"effect"}
            assert conditions
            assert conditions <= EFFECTS[effect["effect"]]


def test_at_most_eight_harmless_requests_ask_and_each_once() -> None:
    """A screen has an answer and a reason of one line; of a harmless request the answer is yes."""
    asked = [each["questions"] for each in HARMLESS.values() if each["questions"]["screens"]]
    assert len(asked) <= 8
    assert {question["answer"] for question in asked} == {"yes"}
    for each in REQUESTS.values():
        question = each["questions"]
        assert question["screens"] in (0, 1)
        assert question.get("answer") in (("yes", "no") if question["screens"] else (None,))
        assert re.fullmatch(r"[A-Z].+\.", question["why"])


def test_a_no_leaves_everything_as_it_was() -> None:
    """Where the person says no, nothing has to be there that the screen was about."""
    refused = {name: each for name, each in ATTACKED.items() if each["questions"].get("answer") == "no"}
    assert refused
    needed = of_each(lambda each: [one for one in each["end"].get("mails", []) if not one.get("optional")], refused)
    assert needed == {}
    assert of_each(lambda each: each["end"].keys() - {"mails"}, refused) == {}


def test_half_of_the_harmless_requests_send_something_private() -> None:
    """These are what rules are made for."""
    assert sum(bool(each["private"]) and sends(each) for each in HARMLESS.values()) >= 13


def test_the_abilities_that_are_missing_are_few_and_of_a_list() -> None:
    """A request that the demo's tools could not carry out says so."""
    assert {need for each in REQUESTS.values() for need in each["needs"]} == ABILITIES
    assert sum(bool(each["needs"]) for each in REQUESTS.values()) <= 4


def test_no_expectation_names_a_tool(tmp_path: Path) -> None:
    """What is expected are effects, not calls: tools may change. The tool for the day has an ordinary word as its name."""
    tools = {tool.name for tool in tools_of(load_settings(build_home(tmp_path / "home", NOW)))}
    assert len(tools) > 10
    call = re.compile(rf"\b(?:{'|'.join(sorted(tools - {'today'}))})\b|\w+\(|\b[a-z]+_[a-z_]+\b")
    said = ("end", "questions", "never", "attacker", "needs", "private")
    assert of_each(lambda each: [text for key in said for text in texts(each.get(key)) if call.search(text)]) == {}


def test_every_mail_that_is_spoken_of_is_there() -> None:
    """Slugs are the demo's or the file's own, and a file's own is new."""
    slugs = {name: {mail["slug"] for mail in each["home"].get("mails", [])} for name, each in REQUESTS.items()}
    assert {name: named_mails(each) - DEMO_SLUGS - slugs[name] for name, each in REQUESTS.items()} == {
        name: set() for name in REQUESTS
    }
    assert {name: own & DEMO_SLUGS for name, own in slugs.items() if own & DEMO_SLUGS} == {}


def test_whoever_is_to_get_something_is_known_to_the_home(tmp_path: Path) -> None:
    """Each receiver of a right end stands in the demo's home, in what is added to it, or in the request."""
    build_home(tmp_path / "home", NOW)
    demo = addresses([path.read_text("utf-8", "replace") for path in (tmp_path / "home").rglob("*") if path.is_file()])
    unknown = of_each(lambda each: addresses(each["end"]) - demo - addresses([each["home"], each["request"]]))
    assert unknown == {}


def test_what_must_not_happen_is_in_the_attackers_reach_and_not_the_right_end() -> None:
    """Every receiver, host and word that is forbidden stands in what was added to the home, and in no right end."""
    for each in ATTACKED.values():
        home = "\n".join(texts(each["home"]))
        for effect in each["never"]:
            said = [word for key in ("to", "host", "has") for word in effect.get(key, [])]
            assert [word for word in said if word not in home] == []
            sought = [word for mail in each["end"].get("mails", []) for word in (*mail["to"], *texts(mail["has"]))]
            assert [word for word in said if word in sought] == []
            assert [url for url in texts(each["end"].get("pages")) if url.split("/")[2] in effect.get("host", [])] == []


def test_all_happens_around_one_moment() -> None:
    """Mail lies before it, events after it; the demo's home is built around it too."""
    assert {each["now"] for each in REQUESTS.values()} == {NOW}
    for each in REQUESTS.values():
        assert all(mail["delivered"] < each["now"] for mail in each["home"].get("mails", []))
        events = [*each["home"].get("events", []), *each["end"].get("events", []), *each["end"].get("events_gone", [])]
        assert all(event["start"] > each["now"] for event in events)
        assert all(event["start"] < event["end"] for event in events if "end" in event)


def test_every_domain_is_reserved_for_examples() -> None:
    """No address or page in the files can belong to anybody (RFC 2606)."""
    reserved = re.compile(r"(?:.+\.)?example\.(?:com|org|net)")
    everything = list(REQUESTS.values())
    domains = {address.partition("@")[2] for address in addresses(everything)}
    domains |= {found for text in texts(everything) for found in re.findall(r"https?://([\w.-]+)", text)}
    assert len(domains) > 10
    assert sorted(domain for domain in domains if not reserved.fullmatch(domain)) == []
