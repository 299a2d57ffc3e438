"""The web: the service that searches is asked for one word; no page is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from armslength.agent.runs.trust import trust_of
from armslength.app.doctor.examining import Check, Good
from armslength.app.settings import Settings
from armslength.tools.text.addresses import without_query
from armslength.tools.web.fetching import library
from armslength.tools.web.search import ENGINES, asked_for
from armslength.tools.web.tools import WebSettings

_WORD = "weather"


def web_checks(settings: Settings) -> Iterator[Check]:
    """Of fetching and of searching, as far as they are configured."""
    if settings.web is None:
        return
    if settings.web.fetches:
        yield Check("web pages", partial(_fetching, settings.web))
    if settings.web.search is not None:
        yield Check("web search", partial(_searching, settings))


def _fetching(web: WebSettings) -> Good:
    """Nothing is asked of anybody."""
    library()
    count = len(web.reach.local)
    own = f", and of {count} host{'s' * (count != 1)} of your own network" if count else ""
    return Good(f"may be asked for, of hosts of the internet{own}; nothing was asked for now")


def _searching(settings: Settings) -> Good:
    web = settings.web
    assert web is not None
    assert web.search is not None
    found = asked_for(web.search, web.reach, _WORD, trust_of(settings.trusted))
    count = len(found.data) if isinstance(found.data, tuple) else 0
    return Good(f'{without_query(web.search.url or ENGINES[web.search.kind].url)} found {count} for "{_WORD}"')
