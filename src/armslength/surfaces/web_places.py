"""What `config` shows of the web: whether pages are fetched, of which hosts, and whom a search tells."""

from __future__ import annotations

from typing import Any

from armslength.tools.text.addresses import without_query
from armslength.tools.web.tools import WebSettings


def web_json(web: WebSettings) -> dict[str, Any]:
    """As JSON, by the names of the settings."""
    return {
        "fetch": web.fetches,
        "local": sorted(web.reach.local),
        "authorities": None if web.reach.authorities is None else str(web.reach.authorities),
        "ports": sorted(web.reach.ports),
        "megabytes": web.reach.most_bytes // 1_000_000,
        "seconds": web.reach.seconds,
        "services": {
            each.host: {
                "tells": list(each.tells),
                "shared": each.is_shared,
                "own": list(each.own),
                "passes_on": each.passes_on,
                "account": each.account,
            }
            for each in web.services
        },
        "search": None
        if web.search is None
        else {
            "kind": web.search.kind,
            "url": without_query(web.search.url),
            "tells": list(web.search.tells),
            "account": web.search.account,
        },
    }


def web_rows(web: dict[str, Any] | None) -> list[tuple[str, str | None]]:
    """Whether pages are fetched, also of the person's own network, and whom a search tells."""
    if web is None:
        return [("web", None)]
    search, local = web["search"], ", ".join(web["local"]) or "no host of your own network"
    rows: list[tuple[str, str | None]] = [
        ("web", f"pages are fetched; {local}" if web["fetch"] else "no page is fetched")
    ]
    if search is not None:
        rows.append(("  search", f"{search['url']}, which tells {', '.join(search['tells']) or 'nobody'}"))
    return rows
