"""Servers over HTTP: one origin, TLS, a token for that origin alone, bounded answers; and both eras of the protocol, by the SDK's own server."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trustme
from bench.home.mcp_server import STRING, Believing, FakeServer, tool
from tests.servers.mcp import SDK, over_http

from armslength.errors import ConfigError, ToolChanged, ToolError
from armslength.tools.mcp.addresses import wrong_with
from armslength.tools.mcp.connection import Connection
from armslength.tools.mcp.settings import Child, Remote, Server

LOOK = tool("look", {"at": STRING})
Spoken = Callable[..., Connection]


@pytest.fixture
def fake(tmp_path: Path) -> FakeServer:
    """A server with one tool, made with the SDK."""
    made = FakeServer(tmp_path / "server", LOOK, program=SDK)
    made.answers("look", "seen")
    return made


@pytest.fixture
def spoken() -> Iterator[Spoken]:
    """Speaks with a place, until the test ends."""
    lines = list[Connection]()

    def speak(place: Remote, **more: Any) -> Connection:
        lines.append(
            Connection(Server("far", place, **{"start_seconds": 30.0, "call_seconds": 30.0, **more}), Believing())
        )
        return lines[-1]

    yield speak
    for line in lines:
        line.close()


def requests(fake: FakeServer) -> list[dict[str, str]]:
    return [json.loads(line) for line in (fake.folder / "requests.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("how", [{}, {"is_json": True}, {"is_old": True}])
def test_a_call_over_http(fake: FakeServer, spoken: Spoken, how: dict[str, Any]) -> None:
    """With events and without, with a session and without: the list is asked for before each call, though it may be kept for ten minutes; a change is seen."""
    with over_http(fake, **how, token="t0ken") as place:
        line = spoken(replace(place, token=lambda: "t0ken"))
        accepted = line.listed()[0]
        assert accepted.digest == fake.declared[0].digest
        assert line.call(accepted, {"at": "x"}, {}).texts == ("seen",)
        fake.declares({**LOOK, "description": "Looks elsewhere."})
        with pytest.raises(ToolChanged):
            line.call(accepted, {"at": "x"}, {})
    assert len(fake.calls) == 1
    heads = requests(fake)
    assert {head.get("authorization") for head in heads} == {"Bearer t0ken"}
    assert {head.get("accept-encoding") for head in heads} == {"identity"}
    assert {head["method"] for head in heads} <= {"POST", "DELETE"}
    assert {name for head in heads for name in head} & {"cookie", "referer", "traceparent"} == set()


def test_the_newer_era_over_standard_input(fake: FakeServer) -> None:
    """What is told with each request: our name, no capability, the label, and nothing of traces."""
    line = Connection(Server("near", Child(sys.executable, (*fake.arguments, "stdio"))), Believing())
    assert line.call(line.listed()[0], {"at": "x"}, {"ifc": {"integrity": "trusted"}}).texts == ("seen",)
    line.close()
    meta = fake.calls[0]["_meta"]
    assert meta["ifc"] == {"integrity": "trusted"}
    assert not [name for name in meta if name in {"traceparent", "tracestate", "baggage"}]
    assert meta["io.modelcontextprotocol/clientInfo"] == {"name": "armslength", "version": "1"}
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {}


def test_what_a_server_asks_for_in_its_result_is_asked_of_nobody(fake: FakeServer) -> None:
    """In the newer era a result asks for a form or a model instead of a request: the call is an error, and is made once."""
    form = {"message": "Your password?", "requestedSchema": {"type": "object", "properties": {}}}
    asks = {"form": {"method": "elicitation/create", "params": form}}
    fake.behave(answers={"look": {"resultType": "input_required", "inputRequests": asks, "requestState": "x"}})
    line = Connection(Server("near", Child(sys.executable, (*fake.arguments, "stdio"))), Believing())
    with pytest.raises(ToolError) as caught:
        line.call(line.listed()[0], {"at": "x"}, {})
    line.close()
    assert re.fullmatch(r"mcp:near: .*(asks for more|error -?\d+).*", str(caught.value))
    assert "password" not in str(caught.value)
    assert len(fake.calls) == 1


@pytest.mark.parametrize(
    ("misdeed", "said"),
    [
        ("compressed", "mcp:far: the server sent an answer in a compression that it was asked not to use"),
        ("huge", "mcp:far: the server sent an answer of more than 16,000,000 bytes"),
        ("flood", "mcp:far: the server sent more than 10,000 messages that nobody asked for"),
        ("html", "mcp:far: the server ended before it answered, or answers with an error alone"),
        ("drop", "mcp:far: the server"),
        ("hang", "mcp:far: the server was not there within 2 seconds"),
    ],
)
def test_a_misdeed_over_http_is_one_line(fake: FakeServer, spoken: Spoken, misdeed: str, said: str) -> None:
    """Whatever stands at the URL."""
    with over_http(fake, misdeed=misdeed) as place:
        line = spoken(place, start_seconds=2.0 if misdeed == "hang" else 30.0)
        with pytest.raises(ToolError) as caught:
            line.listed()
        line.close()
    assert str(caught.value).startswith(said)


def test_a_redirect_to_another_origin_is_not_followed(fake: FakeServer, spoken: Spoken, tmp_path: Path) -> None:
    """So no token and no argument gets there."""
    other = FakeServer(tmp_path / "other", LOOK, program=SDK)
    with over_http(other) as elsewhere:
        port = int(elsewhere.url.split(":")[2].partition("/")[0])
        with over_http(fake, misdeed="redirect", other=port) as place, pytest.raises(ToolError):
            spoken(replace(place, token=lambda: "t0ken")).listed()
    assert not (other.folder / "requests.jsonl").exists()


@pytest.mark.parametrize(
    ("token", "said"),
    [(None, "mcp:far: the server wants a token"), ("wrong", "mcp:far: the server does not accept the token")],
)
def test_a_token_that_is_not_accepted_is_said_to_be_none(
    fake: FakeServer, spoken: Spoken, token: str | None, said: str
) -> None:
    """And does not stand in the message."""
    with over_http(fake, token="t0ken") as place, pytest.raises(ToolError) as caught:
        spoken(place if token is None else replace(place, token=lambda: token)).listed()
    assert str(caught.value) == said


def test_a_certificate_must_be_vouched_for(fake: FakeServer, spoken: Spoken, tmp_path: Path) -> None:
    """By the system's authorities, or by those that the configuration names."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    certificate = authority.issue_cert("localhost")
    certificate.private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "cert.pem"))
    with over_http(fake, certificate=str(tmp_path / "cert.pem"), key=str(tmp_path / "cert.pem")) as place:
        with pytest.raises(
            ToolError,
            match=r"^mcp:far: the server has a certificate that .* so nothing was sent; .* its authority in mcp\.far\.authorities$",
        ):
            spoken(place).listed()
        line = spoken(replace(place, authorities=tmp_path / "ca.pem"))
        assert [each.name for each in line.listed()] == ["look"]
        with pytest.raises(ConfigError, match=r"^mcp\.far\.authorities: .*no\.pem is no file of certificates \(PEM\)"):
            spoken(replace(place, authorities=tmp_path / "no.pem")).listed()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://desk.example/mcp", ""),
        ("http://127.0.0.1:8000/mcp", ""),
        ("http://[::1]/mcp", ""),
        ("http://desk.example/mcp", "it is not encrypted; only this machine is spoken with by http"),
        ("http://localhost.evil.example/mcp", "it is not encrypted; only this machine is spoken with by http"),
        ("https://ada:pw@desk.example/", "a user name or password stands in it; say in token where the token is"),
        ("https://desk.example/#x", "a # stands in it"),
        ("ftp://desk.example/", "it is no URL of http or https"),
        ("https:///mcp", "it is no URL of http or https"),
        ("https://desk.example/a b", "it is no URL of http or https"),
        ("https://desk.example\\@evil.example/", "it is no URL of http or https"),
        ("https://dösk.example/", "it is no URL of http or https"),
        ("https://desk.example:99999/", "it is no URL"),
        ("https://[::1", "it is no URL"),
    ],
)
def test_at_which_urls_a_server_is_spoken_with(url: str, why: str) -> None:
    """Encrypted, or on this machine; written as every program reads it."""
    assert wrong_with(url) == why
