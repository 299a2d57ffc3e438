"""Secrets lie nowhere: not in the configuration, the journal, an index, a log, a span, an output or an error, in any encoding."""

from __future__ import annotations

import logging
import socket
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.servers.everything import IMAP_USER, MODEL_KEY, SECRETS, Everything, everything
from tests.servers.planted import files_below, forms, planted
from tests.servers.smtp import PASSWORD as SMTP_PASSWORD
from tests.servers.smtp import scripted_server
from tests.surfaces.conftest import Home, home, provider  # noqa: F401  # fixtures

from armslength.app import Tracing, load_settings
from armslength.app.accepted import pins_of
from armslength.tools.mcp.pins import Pin

WRONG = ("wr0ng!pass/word1", "n0t the=key2")
"""What is given instead where a server is to refuse: a mistyped password is nobody's business either."""
CANARY = "canarymail"
WORKS = """\
found = search_web(query="weather")
mails = search_emails()
events = search_calendar_events()
people = search_contacts(name="Bob")
note = notes_look(at="home")
item = quarantined("What is it about?", mails[0].body, returns=str)
create_calendar_event(title="Lunch", start="2026-12-01 12:00", end="2026-12-01 13:00")
draft_email(["bob@example.com"], "hi", "hello")
send_email(["bob@example.com"], "hi", "hello")
answer(len(mails), len(found), len(events), len(people), note, item)
"""
EACH = (
    "answer(search_emails())",
    'send_email(["bob@example.com"], "hi", "hello")',
    "answer(search_calendar_events())",
    'answer(search_contacts(name="Bob"))',
    'answer(search_web(query="weather"))',
    'answer(notes_look(at="home"))',
)
_SERVERS = ("mail.", "asyncio")
"""The log of the test's own mail server, which runs in this process."""


@dataclass
class Watched:
    """All that a home says: output, logs, spans."""

    home: Any
    spans: InMemorySpanExporter
    log: list[str]
    said: list[tuple[str, bytes]] = field(default_factory=list)

    def run(self, *words: str, replies: tuple[Any, ...] = ()) -> Any:
        """Run a command; the models give these replies."""
        self.home.provider.answers.clear()
        self.home.will(*(replies or ("yes",)))
        ended = self.home.run(*words)
        self.said.append((" ".join(words), f"{ended.out}\n{ended.err}".encode()))
        return ended

    def all(self) -> Iterator[tuple[str, bytes]]:
        """Every text there is."""
        yield from self.said
        yield "log", "\n".join(self.log).encode()
        yield "spans", "\n".join(each.to_json() for each in self.spans.get_finished_spans()).encode()
        kept = [each for each in self.home.path.iterdir() if each.is_dir() and each.name != "servers"]
        yield from files_below(*kept)
        yield from ((str(each), each.read_bytes()) for each in self.home.path.glob("*.toml*"))


class _Kept(logging.Handler):
    def __init__(self, log: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._log, self._form = log, logging.Formatter("%(name)s %(message)s")

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(_SERVERS):
            self._log.append(self._form.format(record))


@pytest.fixture
def whole(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Everything]:  # noqa: F811  # the fixture
    """A home to which all is connected, which keeps its contents unencrypted, so that they can be searched."""
    with everything(home.path / "servers", monkeypatch) as made:
        ours = home.config.read_text().replace('path = "Mail"\n', "")
        told = made.config.replace("encrypt = true\n", "")
        home.config.write_text(f'{ours}key = {{ environment = "MODEL_KEY" }}\n{told}[tracing]\nspans = "calls"\n')
        made.imap.deliver(IMAP_USER, f"From: bob@example.com\nSubject: Hi\n\n{CANARY}\n".encode())
        made.mcp.answers("look", "a note")
        settings = load_settings(home.config)
        pins_of(settings).accept("notes", settings.mcp[0].identity, [Pin(each) for each in made.mcp.declared])
        yield made


@pytest.fixture
def watched(home: Home, whole: Everything, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:  # noqa: F811  # the fixture
    """With all that tells more than usual switched on."""
    exporter, provided = InMemorySpanExporter(), TracerProvider()
    provided.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr("armslength.app.Tracing", lambda detail: Tracing(detail, provided.get_tracer("test")))
    monkeypatch.setenv("ARMSLENGTH_DEBUG", "1")
    log: list[str] = []
    handler, root = _Kept(log), logging.getLogger()
    before = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(handler)
    try:
        yield Watched(home, exporter, log)
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


@contextmanager
def dropping() -> Iterator[int]:
    """A port at which every connection is taken, and broken off after its first bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connected, _ = listening.accept()
                except OSError:
                    return
                with connected, suppress(OSError):
                    if connected.recv(1) == b"":
                        return

        serving = threading.Thread(target=serve, name="dropping", daemon=True)
        serving.start()
        try:
            yield listening.getsockname()[1]
        finally:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", listening.getsockname()[1]), 1).close()
            serving.join(10)


def test_a_stolen_configuration_gives_no_secret(home: Home, whole: Everything) -> None:  # noqa: F811  # the fixture
    """It names places; the settings that are read from it print none either, once they were used."""
    settings = load_settings(home.config)
    for account in settings.accounts:
        assert account.server is not None
        assert account.server.secret() in SECRETS
    shown = repr(settings).encode()
    assert list(planted(SECRETS, [("file", home.config.read_bytes()), ("settings", shown)])) == []


def test_nothing_that_is_kept_or_said_has_a_secret(watched: Watched, whole: Everything) -> None:
    """After requests that read and send through all servers, and all that shows what they did."""
    ended = watched.run(
        "ask",
        "Search the web for weather, and send bob@example.com a mail: hi, hello",
        replies=(WORKS, '{"answer": "a canary"}'),
    )
    assert ended.code == 0, ended.out + ended.err
    assert [each.recipients for each in whole.smtp.taken] == [("bob@example.com",)]
    assert whole.search.asked == ["weather"]
    assert len(whole.mcp.calls) == 1
    for words in (
        ["why"],
        ["why", "--json"],
        ["doctor"],
        ["config"],
        ["config", "--json"],
        ["model", "--json"],
        ["tools"],
        ["mcp"],
        ["runs"],
    ):
        assert watched.run(*words).code == 0
    texts = list(watched.all())
    assert list(planted(SECRETS, texts)) == []
    # What is looked through is what was kept: the words of the mail are found in it, and each of these was written.
    assert any(CANARY.encode() in text for _, text in texts)
    assert {"log", "spans"} < {name for name, text in texts if text}
    assert any(name.endswith("runs.sqlite") for name, _ in texts)


def test_no_error_has_a_secret(watched: Watched, whole: Everything, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong passwords, a wrong key, a server that ends: neither the right secret nor the wrong one is told."""
    monkeypatch.setenv("IMAP_PASSWORD", WRONG[0])
    monkeypatch.setenv("SEARCH_KEY", WRONG[1])
    whole.file.write_text(f"{WRONG[0]}\n")
    whole.ring.set_password("armslength secrets", "dav", WRONG[1])
    whole.mcp.answers("look", do="exit")
    _fail_at_each(watched)
    watched.home.provider.answers.clear()
    watched.home.provider.will({"error": {"message": f"no such key: {MODEL_KEY}"}}, status=401)
    ended = watched.home.run("ask", "What is new?")
    watched.said.append(("a model's refusal", f"{ended.out}{ended.err}".encode()))
    assert ended.code == 3
    assert list(planted((*SECRETS, *WRONG), watched.all())) == []


def test_what_a_server_repeats_of_a_secret_is_not_passed_on(watched: Watched, whole: Everything) -> None:
    """A server of mail that answers a login with the password, in its own words."""
    greeting, offers = "220 here", "250-here\r\n250 AUTH PLAIN"
    said = f"535 5.7.8 {SMTP_PASSWORD} and {b64encode(SMTP_PASSWORD.encode()).decode()} are wrong"
    with scripted_server(greeting, offers, said) as server:
        text = watched.home.config.read_text()
        told = f'host = "127.0.0.1"\nport = {whole.smtp.port}\n'
        watched.home.config.write_text(text.replace(told, f'host = "127.0.0.1"\nport = {server.port}\ntls = "none"\n'))
        ended = watched.run("ask", "Send bob@example.com a mail: hi, hello", replies=(EACH[1],))
        assert any(b"AUTH PLAIN" in line for line in server.heard)
    assert "does not take user and password (535 5.7.8)" in ended.out + ended.err
    assert list(planted(SECRETS, watched.all())) == []


def test_no_dropped_connection_tells_a_secret(watched: Watched, whole: Everything) -> None:
    """At each server."""
    whole.search.drops = True
    whole.mcp.answers("look", do="exit")
    config = watched.home.config
    with dropping() as port:
        text = config.read_text()
        for old in (str(whole.imap.tls_port), str(whole.smtp.port), str(whole.dav.port)):
            text = text.replace(old, str(port))
        config.write_text(text)
        _fail_at_each(watched)
    watched.home.provider.answers.clear()
    watched.home.provider.will(closes=True)
    ended = watched.home.run("ask", "What is new?")
    watched.said.append(("a model that ends", f"{ended.out}{ended.err}".encode()))
    assert list(planted(SECRETS, watched.all())) == []


def _fail_at_each(watched: Watched) -> None:
    for program in EACH:
        ended = watched.run("ask", "Send bob@example.com a mail: hi, hello", replies=(program, program))
        assert ended.code in {2, 4, 5}, (program, ended.out, ended.err)
        watched.run("why")
    assert watched.run("doctor").code == 2


@pytest.mark.parametrize("secret", [*SECRETS, *WRONG])
@pytest.mark.parametrize("before", ["", "kim:", "\0max\0", "user="])
def test_a_secret_is_found_in_each_form(secret: str, before: str) -> None:
    """The search sees what it is to see: in a header of HTTP, an answer of SMTP, a URL, JSON, a mail."""
    from quopri import encodestring
    from urllib.parse import quote

    around = f"{before}{secret}&more"
    for text in (
        around.encode(), b64encode(around.encode()), encodestring(around.encode()), quote(around).encode(), repr(around).encode()
    ):  # fmt: skip
        assert list(planted([secret], [("text", text)]))
    assert len(forms(secret)) > 5
