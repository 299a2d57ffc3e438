"""The web, servers of MCP, and models."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from armslength.app.doctor.models import model_checks
from armslength.app.doctor.servers import server_checks
from armslength.app.doctor.web import web_checks
from armslength.app.draft import Draft
from armslength.hosts import is_here
from armslength.models.fetch import find_model
from armslength.surfaces.setup.asking import Asker
from armslength.surfaces.setup.mail import whole_path, wrong_file
from armslength.surfaces.setup.trying import connected
from armslength.tools.web.search import ENGINES

_USUAL = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}


def ask_for_web(asker: Asker, draft: Draft) -> Draft:
    """The draft with the web, if it is wanted."""
    return connected(asker, draft, "web", lambda: _web(asker), web_checks)


def _web(asker: Asker) -> dict[str, Any] | None:
    content: dict[str, Any] = {}
    if asker.agrees("web.fetch", "May it ask for pages of the web", usually=False):
        content["fetch"] = True
    kind = asker.choose("web.search.kind", "By whom may it search the web", ("nobody", *ENGINES), "nobody")
    if kind == "nobody":
        return content or None
    engine = ENGINES["brave" if kind == "brave" else "searxng"]
    search: dict[str, Any] = {"kind": kind}
    search["url"] = asker.ask("web.search.url", "  The address for queries", engine.url, _wrong_url)
    parts = urlsplit(search["url"])
    if parts.scheme == "http" and asker.agrees(
        "web.search.is_own", "  It has no TLS: is it in your own network", usually=is_here(parts.hostname)
    ):
        content["local"] = [f"{parts.hostname}:{parts.port or 80}"]
    if engine.key_header:
        search["key"] = asker.secret("web.search.key", "its key", "SEARCH_KEY")
    else:
        told = asker.ask(
            "web.search.tells", "  Which hosts it asks itself, with commas between; they learn your queries", ""
        )
        search["tells"] = [each.strip() for each in told.split(",") if each.strip()]
    return {**content, "search": search}


def _wrong_url(text: str) -> str:
    try:
        return "" if urlsplit(text).hostname else "the address of a service, such as https://search.example.org/search"
    except ValueError:
        return "the address of a service, such as https://search.example.org/search"


def ask_for_servers(asker: Asker, draft: Draft) -> Draft:
    """The draft with the MCP servers of another program's file, if there is one. Trying them starts them."""

    def ask() -> dict[str, Any] | None:
        path = asker.ask(
            "mcp.servers_file", "A file of another program with its mcpServers, to use them here too", "", wrong_file
        )
        if path:
            asker.say("  Each is started now, and asked what it declares.")
        return {"servers_file": whole_path(path)} if path else None

    return connected(asker, draft, "mcp", ask, server_checks)


def ask_for_model(asker: Asker, draft: Draft) -> Draft:
    """The draft with the planner's model. The embedded one needs no table, and is fetched by a command of its own."""
    provider = asker.choose("models.provider", "Which model writes the programs", ("embedded", *_USUAL), "embedded")
    if provider == "embedded":
        if find_model() is None:
            asker.say("  It is not here yet: armslength model fetch gets it (1.1 GB)")
        return draft.having("models", {"planner": {"provider": "embedded"}})
    return connected(asker, draft, "models", lambda: {"planner": _provided(asker, provider)}, model_checks)


def _provided(asker: Asker, provider: str) -> dict[str, Any]:
    content: dict[str, Any] = {"provider": provider}
    url = asker.ask("models.base_url", "  Its address", _USUAL[provider], _wrong_url)
    content |= {"base_url": url} if url != _USUAL[provider] else {}
    content["model"] = asker.ask("models.model", "  The model's name there", "", lambda text: "" if text else "a name")
    is_on_this_machine = is_here(urlsplit(url).hostname)
    if is_on_this_machine and asker.agrees(
        "models.is_local", "  Does all that it is asked stay on this machine", usually=True
    ):
        content["is_local"] = True
    if asker.agrees("models.has_key", "  Does it need a key", usually=not is_on_this_machine):
        content["key"] = asker.secret("models.key", "its key", f"{provider.upper()}_API_KEY")
    return content
