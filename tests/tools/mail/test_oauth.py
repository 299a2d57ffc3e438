"""Access tokens: granted by the person in a browser, renewed when needed, and never in a message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.servers.oauth import CODE, Authorisation, authorisation

from armslength.errors import ConfigError, ToolError
from armslength.tools.mail.oauth import Code, Provider, Tokens, begin, finish

GRANTED = (200, {"access_token": "t0ken", "refresh_token": "gr4nt", "expires_in": 3600, "token_type": "Bearer"})
PENDING = (400, {"error": "authorization_pending"})


@pytest.fixture
def server() -> Iterator[Authorisation]:
    """A provider."""
    with authorisation() as running:
        yield running


@pytest.fixture
def provider(server: Authorisation) -> Provider:
    """How it is reached."""
    return Provider(f"{server.url}/device", f"{server.url}/token", "mail offline", "client-1")


def test_a_code_is_shown_and_the_grant_waited_for(server: Authorisation, provider: Provider) -> None:
    """At the provider's pace; it is told slower, and it is slower."""
    server.answers = [PENDING, (400, {"error": "slow_down"}), PENDING, GRANTED]
    code = begin(provider)
    assert (code.url, code.user_code, code.interval) == ("http://localhost/device", "WDJB-MJHT", 1.0)
    waits: list[float] = []
    assert finish(provider, code, waits.append) == "gr4nt"
    assert waits == [1.0, 1.0, 6.0, 6.0]
    assert server.asked[0] == ("/device", {"client_id": "client-1", "scope": "mail offline"})
    assert server.asked[-1] == (
        "/token",
        {
            "client_id": "client-1",
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": "device-1",
        },
    )
    assert "device-1" not in repr(code)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((400, {"error": "access_denied"}), "provider 127.0.0.1: access was denied; begin again if that was not meant"),
        ((400, {"error": "expired_token"}), "provider 127.0.0.1: the code ran out before it was used; begin again"),
        (PENDING, "provider 127.0.0.1: the code ran out before it was used; begin again"),
        (
            (400, {"error": "\x1b[31m"}),
            "provider 127.0.0.1: it gives no token; begin again, or look at client_id and scope",
        ),
        ((200, {"access_token": "t0ken"}), "provider 127.0.0.1: it answers what is no answer to this; look at .*"),
        ((500, {}), "provider 127.0.0.1: it answers what is no answer to this; look at .*"),
        ((200, b"<html>"), "provider 127.0.0.1: it answers what is no answer to this; look at .*"),
        ((200, ["t0ken"]), "provider 127.0.0.1: it answers what is no answer to this; look at .*"),
        ((302, {}), "provider 127.0.0.1: it answers what is no answer to this; look at .*"),
    ],
)
def test_each_way_to_get_no_grant_is_one_line(
    server: Authorisation, provider: Provider, answer: tuple[int, Any], message: str
) -> None:
    """And a provider that sends elsewhere is not followed."""
    server.answers = [answer]
    with pytest.raises(ToolError, match=f"^{message}$"):
        finish(provider, Code("http://localhost", "A", 5.0, 1.0, "device-1"), lambda _: None)
    assert all(path == "/token" for path, _ in server.asked)


@pytest.mark.parametrize(
    "wrong",
    [
        {"verification_uri": "javascript:alert(1)"},
        {"verification_uri": "https://a.example/\x1b[31m"},
        {"verification_uri": "http://a.example/"},
        {"verification_uri": "http://[x"},
        {"verification_uri": "https://[x"},
        {"user_code": "A\nB"},
        {"user_code": "\u202eCODE"},
        {"device_code": ""},
    ],
)
def test_what_a_person_is_shown_is_an_address_and_a_code(
    server: Authorisation, provider: Provider, wrong: dict[str, str]
) -> None:
    """Nothing else of a provider's answer comes to the screen."""
    server.code = CODE | wrong
    with pytest.raises(ToolError, match="no answer to this"):
        begin(provider)


def test_a_client_that_is_not_known_is_the_configurations_fault(server: Authorisation, provider: Provider) -> None:
    """Before any code is shown."""
    server.code = {"error": "invalid_client"}
    with pytest.raises(ConfigError, match="look at client_id and scope"):
        begin(provider)


def test_a_token_is_renewed_when_it_is_about_to_end(server: Authorisation, provider: Provider) -> None:
    """One question for as long as it holds; a grant that the provider changes is kept."""
    kept = ["gr4nt"]
    tokens = Tokens(replace(provider, client_secret=lambda: "cl1ent"), lambda: kept[-1], kept.append)
    server.answers = [(200, {"access_token": "first", "expires_in": 3600, "refresh_token": "gr4nt-2"})]
    assert (tokens(), tokens(), len(server.asked), kept) == ("first", "first", 1, ["gr4nt", "gr4nt-2"])
    assert server.asked[0][1] == {
        "client_id": "client-1", "client_secret": "cl1ent", "grant_type": "refresh_token", "refresh_token": "gr4nt",
    }  # fmt: skip
    tokens.granted("gr4nt-3")
    server.answers = [(200, {"access_token": "second", "expires_in": 30})]
    assert (tokens(), tokens(), len(server.asked)) == ("second", "second", 3)
    assert "second" not in repr(tokens)


def test_a_grant_that_was_withdrawn_says_what_to_do(server: Authorisation, provider: Provider) -> None:
    """With no token in it."""
    server.answers = [(400, {"error": "invalid_grant", "error_description": "gr4nt is gone"})]
    with pytest.raises(ConfigError) as caught:
        Tokens(provider, lambda: "gr4nt", lambda _: None)()
    assert str(caught.value) == "provider 127.0.0.1: the grant holds no longer; run armslength mail login again"


def test_a_provider_that_is_not_there(provider: Provider) -> None:
    """One line."""
    gone = replace(provider, token_url="http://127.0.0.1:9/token")
    with pytest.raises(ToolError, match=r"^provider 127\.0\.0\.1: cannot be reached \(ConnectionRefusedError\)"):
        Tokens(gone, lambda: "gr4nt", lambda _: None)()


@pytest.mark.parametrize("status", [200, 400])
def test_an_answer_that_breaks_off_is_none(server: Authorisation, provider: Provider, status: int) -> None:
    """One line too, and nothing of what came is taken."""
    server.answers, server.breaks = [(status, GRANTED[1])], True
    with pytest.raises(ToolError, match=r"^provider 127\.0\.0\.1: cannot be reached \(IncompleteRead\)"):
        Tokens(provider, lambda: "gr4nt", lambda _: None)()


@pytest.mark.parametrize("wrong", ["https://[::1", "http://a.example/token", "a.example"])
def test_an_address_that_is_none_is_refused(provider: Provider, wrong: str) -> None:
    """Before anything is asked there."""
    with pytest.raises(ConfigError, match="begin with https://"):
        replace(provider, token_url=wrong)


def test_a_wrong_file_of_authorities_is_the_configurations_fault(provider: Provider, tmp_path: Path) -> None:
    """Whether it is not there or is none, before anything is asked."""
    for name, content in (("none.pem", None), ("home.pem", "no certificate")):
        if content is not None:
            (tmp_path / name).write_text(content)
        wrong = replace(provider, token_url="https://127.0.0.1:9/token", authorities=tmp_path / name)
        with pytest.raises(
            ConfigError, match=rf"^mail\.oauth\.authorities: .*{name} is no file of certificates \(PEM\)"
        ):
            Tokens(wrong, lambda: "gr4nt", lambda _: None)()
