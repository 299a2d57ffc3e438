"""The table `[web]`, and the tools that it gives."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.internet import WebServer

from armslength.app import assistant_without_models, load_settings, tools_of
from armslength.errors import ConfigError
from armslength.labels import PRIVATE, PROGRAM, Source
from armslength.testing import ScriptedModel
from armslength.tools.base import Receivers
from armslength.tools.web.services import Service


def loaded(tmp_path: Path, text: str) -> Path:
    """A configuration with this text."""
    file = tmp_path / "config.toml"
    file.write_text(f'state = "state"\n{text}')
    return file


def test_without_the_table_nothing_is_fetched(tmp_path: Path) -> None:
    """Nor with what it says of hosts alone."""
    assert load_settings(loaded(tmp_path, "")).web is None
    assert load_settings(loaded(tmp_path, '[web]\nlocal = ["nas.home.lan:8080"]\n')).web is None


def test_all_of_it(tmp_path: Path) -> None:
    """Hosts are read in the form that they have in an address."""
    settings = load_settings(
        loaded(
            tmp_path,
            """
            [web]
            fetch = true
            local = ["NAS.home.lan:8080", "192.168.1.5:80", "[fd12::5]:443"]
            ports = [443]
            megabytes = 2
            timeout = 10
            [web.services."Docs.example.com"]
            tells = ["cdn.example.net"]
            shared = true
            own = ["/kim/"]
            account = "kim's"
            [web.services."r.example"]
            passes_on = true
            [web.search]
            kind = "searxng"
            url = "http://nas.home.lan:8080/search"
            tells = ["www.bing.com"]
            """,
        )
    )
    web = settings.web
    assert web is not None
    assert web.search is not None
    assert web.reach.local == {"nas.home.lan:8080", "192.168.1.5:80", "[fd12::5]:443"}
    assert (web.reach.ports, web.reach.most_bytes, web.reach.seconds) == ({443}, 2_000_000, 10.0)
    assert web.services == (
        Service("docs.example.com", ("cdn.example.net",), is_shared=True, own=("/kim/",), account="kim's"),
        Service("r.example", passes_on=True),
    )
    tools = {each.name: each for each in tools_of(settings)}
    assert tools["search_web"].receivers({"query": "x"}) == Receivers(("nas.home.lan", "www.bing.com"))
    assert tools["fetch_web_page"].receivers({"url": "https://docs.example.com/kim/"}) == Receivers(
        ("docs.example.com", "cdn.example.net")
    )


def test_a_key_is_read_when_it_is_needed(tmp_path: Path) -> None:
    """What the file names need not be there before."""
    text = '[web.search]\nkind = "brave"\nkey = { environment = "NO_SUCH_KEY" }\naccount = "kim@example.org"\n'
    web = load_settings(loaded(tmp_path, text)).web
    assert web is not None
    assert web.search is not None
    assert web.search.key is not None
    with pytest.raises(ConfigError, match="NO_SUCH_KEY"):
        web.search.key()


WRONG = {
    "a place without a port": ('local = ["nas.home.lan"]', "web.local must be"),
    "a place with a path": ('local = ["nas.home.lan:80/x"]', "web.local must be"),
    "a place that is none": ('local = [":80"]', "web.local must be"),
    "a port that is none": ("ports = [0]", "web.ports must be"),
    "a port of letters": ('ports = ["80"]', "web.ports must be"),
    "too much": ("megabytes = 51", "web.megabytes must be"),
    "too long": ("timeout = 0", "web.timeout must be"),
    "a setting that is none": ("cookies = true", "web.cookies is not a setting"),
    "a proxy": ('proxy = "http://proxy.example"', "web.proxy is not a setting"),
    "a host that is none": ('[web.services."a@b.example"]', "web.services.a@b.example must be about hosts"),
    "a host with a path": ('[web.services."b.example/x"]', "must be about hosts"),
    "a path that is none": (
        '[web.services."b.example"]\nshared = true\nown = ["kim"]',
        "web.services.b.example.own must be",
    ),
    "own paths of a host that nobody shares": (
        '[web.services."b.example"]\nown = ["/kim/"]',
        "web.services.b.example.own must be",
    ),
    "a service that is told of wrongly": (
        '[web.services."b.example"]\ntells = ["c.example/x"]',
        "web.services.b.example.tells must be",
    ),
    "a search without an address": ('[web.search]\nkind = "searxng"\ntells = []', "web.search.url must be"),
    "a search without TLS": (
        '[web.search]\nurl = "http://s.example/"\ntells = []',
        "web.search.url must be an https address",
    ),
    "a search that tells whom": ('[web.search]\nurl = "https://s.example/"', "web.search.tells must be"),
    "a search without its key": ('[web.search]\nkind = "brave"', "web.search.key must be"),
    "a search with its key in the file": (
        '[web.search]\nkind = "brave"\nkey = "s3cret"',
        "a secret does not stand in this file",
    ),
    "another search": ('[web.search]\nkind = "other"', "web.search.kind must be one of"),
}


@pytest.mark.parametrize(("text", "line"), WRONG.values(), ids=WRONG)
def test_what_is_not_understood_is_an_error(tmp_path: Path, text: str, line: str) -> None:
    """With the setting's name, and no secret."""
    with pytest.raises(ConfigError) as caught:
        load_settings(loaded(tmp_path, f"[web]\nfetch = true\n{text}\n"))
    assert line in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_pages_come_from_one_place(tmp_path: Path) -> None:
    """The stand-ins give pages of files under the same name."""
    (tmp_path / "standin").mkdir()
    settings = load_settings(loaded(tmp_path, '[web]\nfetch = true\n[standin]\npath = "standin"\n'))
    with pytest.raises(ConfigError, match=r"standin and web\.fetch both give pages of the web; leave one of them out$"):
        tools_of(settings)


_PLANNER = '[models.planner]\nprovider = "openai"\nmodel = "x"\n'
"""One that is not small: what it has asked of a host is not asked about for that alone."""


def test_a_page_of_the_persons_own_network_by_a_whole_run(tmp_path: Path) -> None:
    """From the file to the answer, over a connection of this machine; what it says is private, and marked as its host's."""
    web = WebServer()
    web.put("127.0.0.1", "/", "<p>Photos of <a href='/2026'>2026</a></p>")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)
        port = listening.getsockname()[1]
        serving = threading.Thread(target=lambda: web.serve(listening.accept()[0]), daemon=True)
        serving.start()
        settings = load_settings(loaded(tmp_path, f'[web]\nfetch = true\nlocal = ["127.0.0.1:{port}"]\n{_PLANNER}'))
        program = f'answer(fetch_web_page(url="http://127.0.0.1:{port}/"))'
        made = replace(assistant_without_models(settings), planner=ScriptedModel([program]))
        result = made.ask("What is there?")
        serving.join()

    assert (result.outcome.ending, len(web.asked)) == ("done", 1)
    (piece,) = [piece for pieces in result.outcome.answers for piece in pieces]
    assert piece.data == f"Photos of 2026 (http://127.0.0.1:{port}/2026)"
    assert piece.label.data == {Source("web:127.0.0.1"), PROGRAM}
    assert piece.label.readers == PRIVATE
