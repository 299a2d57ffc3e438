"""Whose word counts for a message's sender: the results of the person's own server, and nobody else's."""

from __future__ import annotations

import pytest

from armslength.tools.mail.authentication import authentication

# --- authentication ---

FROM = "From: Boss <boss@x.example>"
PASS = "Authentication-Results: mx.me.example; dmarc=pass (p=reject) header.from=x.example"


def vouched(*lines: str) -> str | None:
    """The sender that mx.me.example vouches for."""
    return authentication(("\r\n".join(lines) + "\r\n\r\nx").encode(), "mx.me.example")


@pytest.mark.parametrize(
    "result",
    [
        "mx.me.example; dmarc=pass header.from=x.example",
        "MX.me.example 1; DMARC=Pass (p=none; dis=none) header.from=X.Example",
        (
            "mx.me.example;\r\n dkim=pass header.i=@x.example header.s=s1 header.b=abc;\r\n\tspf=fail smtp.mailfrom=b.example;"
            "\r\n dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=x.example"
        ),
        (
            "mx.me.example; spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=x.example; dkim=none (message not signed)"
            " header.d=none;dmarc=pass action=none header.from=x.example;compauth=pass reason=100"
        ),
        "mx.me.example; dkim=pass header.d=x.example",
        "mx.me.example; dkim=fail header.d=x.example; dkim=pass header.d=x.example header.i=@news.x.example",
        "mx.me.example; spf=pass smtp.mailfrom=bounce@x.example",
        'mx.me.example; spf=pass smtp.mailfrom="a; dmarc=fail"@x.example',
        "mx.me.example; dmarc=none header.from=x.example; dkim=pass header.d=x.example",
    ],
)
def test_the_server_vouches_for_the_sender(result: str) -> None:
    """dmarc=pass for the From domain, or where there is no DMARC result, dkim or spf of that very domain."""
    assert vouched(f"Authentication-Results: {result}", FROM) == "boss@x.example"


@pytest.mark.parametrize(
    "result",
    [
        "evil.example; dmarc=pass header.from=x.example",
        "mx.me.example.evil.example; dmarc=pass header.from=x.example",
        "(mx.me.example) evil.example; dmarc=pass header.from=x.example",
        "mx.me.example 2; dmarc=pass header.from=x.example",
        "mx.me.example; none",
        "mx.me.example",
        "",
        "mx.me.example; dmarc=fail header.from=x.example; dkim=pass header.d=x.example",
        "mx.me.example; dmarc=pass header.from=evil.example",
        "mx.me.example; dmarc=none header.from=x.example; dkim=pass header.d=sub.x.example",
        "mx.me.example; dmarc=none header.from=x.example; dmarc=none; dkim=pass header.d=x.example",
        "mx.me.example; dmarc=temperror header.from=x.example; dkim=pass header.d=x.example",
        "mx.me.example; dmarc=permerror header.from=x.example; dkim=pass header.d=x.example",
        "mx.me.example; dmarc=bestguesspass header.from=x.example; dkim=pass header.d=x.example",
        "mx.me.example; dmarc=pass",
        "mx.me.example; dmarc=fail header.from=x.example; dmarc=pass header.from=x.example",
        "mx.me.example; dmarc=pass header.from=x.example header.from=evil.example",
        "mx.me.example; (dmarc=pass header.from=x.example) dmarc=fail",
        'mx.me.example; dmarc=fail reason="; dmarc=pass header.from=x.example"',
        'mx.me.example; spf=fail smtp.mailfrom="; dmarc=pass header.from=x.example"@evil.example',
        "mx.me.example; dkim=pass header.d=evil.example header.i=@x.example",
        "mx.me.example; dkim=pass header.d=x.example header.d=x.example",
        "mx.me.example; dkim=pass header.d=example",
        "mx.me.example; spf=pass smtp.mailfrom=boss@sub.x.example",
        "mx.me.example; spf=pass smtp.helo=x.example",
        "mx.me.example; spf=pass smtp.mailfrom=a@x.example; spf=fail smtp.mailfrom=a@x.example",
        "mx.me.example; iprev=pass policy.iprev=1.2.3.4; arc=pass",
        "mx.me.example; dmarc=pass header.from=x.example \u00e9",
        "mx.me.example; dmarc=pass header.from=x.example" + " (x)" * 60,
        "mx.me.example; dmarc=pass header.from=x.example (" + "(" * 40,
        "mx.me.example; dmarc=pass header.from=x.example;" + " " * 5000,
        "mx.me.example; dmarc=pass header.from=x.example trailing; rubbish",
    ],
)
def test_nothing_else_vouches(result: str) -> None:
    """Another server's word, another domain, a failure beside a pass, comments, quotes and unreadable results."""
    assert vouched(f"Authentication-Results: {result}", FROM) is None


@pytest.mark.parametrize(
    "lines",
    [
        (FROM,),
        ("Authentication-Results: mx.me.example; dmarc=fail header.from=x.example", PASS, FROM),
        ("Authentication-Results: other.example; dmarc=pass header.from=x.example", PASS, FROM),
        ("authentication-results : mx.me.example; none", PASS, FROM),
        (PASS, FROM, "From: evil@y.example"),
        (PASS, FROM, "from : Boss <boss@x.example>"),
        (PASS, "From: boss@x.example, evil@y.example"),
        (PASS, "From: A group: boss@x.example;"),
        (PASS, FROM, "Subject: a", "Subject: b"),
        (PASS, 'From: "boss@x.example" <evil@y.example>'),
        (PASS, "From: boss@x.example <evil@x.example>"),
        (PASS, "From: <boss@x.example> <evil@x.example>"),
        (PASS, "From: evil@y.example (boss@x.example)"),
        (PASS, "From: boss@x.example\0"),
        (PASS, "From:"),
        (PASS, FROM, "no field"),
        (FROM, "Subject: x\rAuthentication-Results: mx.me.example; dmarc=pass header.from=x.example"),
        (FROM, "", PASS),
        ("X-" + PASS, FROM),
    ],
)
def test_forgeries_do_not_vouch(lines: tuple[str, ...]) -> None:
    """Results below the topmost ones, several senders, display names, fields hidden in others."""
    assert vouched(*lines) is None


def test_without_a_configured_server_nobody_vouches() -> None:
    """A plain mailbox authenticates no sender."""
    assert authentication(f"{PASS}\r\n{FROM}\r\n\r\nx".encode(), "") is None
