"""What name servers are asked to know who a mail is from: when, how often, for how long, and what becomes of any answer."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.servers.dns import dns_server
from tests.tools.mail.posting import (
    BOSS,
    NOW,
    Post,
    by_another_domain,
    from_two,
    unsigned,
    with_a_tail,
    with_another_body,
    without_from_in_what_is_signed,
)
from tests.tools.mail.signing import SEPARATE, USUAL, letter, signed

from armslength.errors import ConfigError, ToolError
from armslength.tools.mail import catalogue
from armslength.tools.mail.lookups import Lookups, NoAnswer
from armslength.tools.mail.senders import Senders


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    """A name server in which x.example has a key."""
    with dns_server() as dns:
        made = Post(dns, tmp_path / "state")
        made.key()
        yield made


@pytest.mark.parametrize(
    "made",
    [with_another_body, by_another_domain, with_a_tail, without_from_in_what_is_signed, from_two, unsigned],
)
def test_nobody_is_asked_for_what_could_not_vouch(post: Post, made: Callable[[Post], str]) -> None:
    """A question tells a name server of the attacker's choice that the mail was looked at."""
    post.sender(made(post))
    assert post.dns.asked == []


def test_nobody_is_asked_unless_that_was_switched_on(post: Post) -> None:
    """Signatures are not checked, and the mail is unverified."""
    assert post.senders(checks_signatures=False).of(signed(letter()).encode(), NOW) is None
    assert post.dns.asked == []


def test_nobody_is_asked_about_old_mail(post: Post) -> None:
    """Its key may have been published since, so that anybody can sign with it."""
    assert post.sender(signed(letter()), days=31) is None
    assert post.dns.asked == []
    assert post.sender(signed(letter()), days=29) == BOSS


def test_what_held_once_is_kept(post: Post) -> None:
    """The key is gone later, and the mail is still from whom it was; another mail by the old key is not."""
    kept = signed(letter())
    assert post.sender(kept) == BOSS
    post.dns.records.clear()
    post.now += timedelta(days=400)
    post.dns.asked.clear()
    assert post.sender(kept, days=400) == BOSS
    assert post.dns.asked == []
    assert post.sender(signed(letter(Subject="Pay"))) is None
    assert (post.state / "mail-signatures.sqlite").stat().st_mode & 0o777 == 0o600


def test_what_did_not_hold_is_asked_again_a_day_later(post: Post) -> None:
    """A name server that lies for an evening makes nobody unverified for good."""
    message = signed(letter(), s="late")
    assert post.sender(message) is None
    post.key(selector="late")
    assert post.sender(message) is None
    post.now += timedelta(days=1, seconds=1)
    assert post.sender(message, days=1) == BOSS


def test_without_an_answer_nothing_is_known_yet(post: Post) -> None:
    """A server that fails: the mail is unverified now, and verified once there is an answer."""
    post.dns.broken.add("s._domainkey.x.example")
    assert post.sender(signed(letter())) is None
    post.dns.broken.clear()
    assert post.sender(signed(letter())) == BOSS


def test_a_process_that_lives_long_asks_again(post: Post, new_home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it keeps of a mail from nobody is not for good; of one that nobody can be asked about it is."""
    home = new_home(checks_signatures=True, resolver=f"127.0.0.1:{post.dns.port}")
    place = home.path / "Maildir" / "new"
    for name, days in (("new", 0), ("old", 40)):
        moment = int((datetime.now(UTC) - timedelta(days=days)).timestamp())
        (place / f"{moment}.{name}.host").write_text(signed(letter(Subject=name)))
    post.dns.broken.add("s._domainkey.x.example")

    def who() -> list[str]:
        return [min(source.name for source in each.data["body"].label.data) for each in home.call("search_emails").data]

    assert who() == ["mail:unverified"] * 2
    post.dns.broken.clear()
    assert who() == ["mail:unverified"] * 2
    monkeypatch.setattr(catalogue, "AGAIN", 0.0)
    assert who() == ["mail:boss@x.example", "mail:unverified"]


def test_a_damaged_file_of_verdicts_is_said(post: Post) -> None:
    """Otherwise all mail would be unverified without a word."""
    post.state.mkdir()
    (post.state / "mail-signatures.sqlite").write_text("rubbish" * 1000)
    with pytest.raises(ToolError, match=r"^mail-signatures\.sqlite, which keeps whose signatures held, cannot be used"):
        post.sender(signed(letter()))


def test_a_resolver_that_is_no_address_is_refused(post: Post) -> None:
    """When the assistant starts, not when a mail is read."""
    for wrong in ("localhost", "127.0.0.1:0", "127.0.0.1:x", "::1:53:99999"):
        with pytest.raises(ConfigError, match=r"^mail\.resolver must be the address"):
            post.senders(resolver=wrong)
    post.senders(resolver="::1")
    post.senders(resolver="[::1]:5353")


def test_what_is_missing_is_named_with_the_command_that_installs_it(post: Post, monkeypatch: Any) -> None:
    """When the assistant starts."""
    monkeypatch.setattr("armslength.tools.mail.senders.find_spec", lambda name: None)
    with pytest.raises(
        ConfigError, match=r"^mail\.check_signatures needs more to be installed: .*pip install .*\[mail\]"
    ):
        post.senders()


def _a_key_of(modulus_bytes: int) -> str:
    """Whose exponent is as large as its modulus: one power takes minutes."""

    def whole(tag: int, content: bytes) -> bytes:
        size = len(content)
        length = bytes([size]) if size < 128 else bytes([0x82]) + size.to_bytes(2, "big")
        return bytes([tag]) + length + content

    number = b"\x7f" + b"\xff" * (modulus_bytes - 1)
    return base64.b64encode(whole(0x30, whole(2, number) + whole(2, number))).decode()


@pytest.mark.parametrize(
    "made",
    [
        lambda post: signed(letter(body="a" + " " * 2_000_000 + "b\r\n")),
        lambda post: signed(letter(body="a\r\n" * 500_000)),
        lambda post: signed(letter()).replace("; bh=", ";" + " \r\n" * 1 + " " * 4_000 + "bh="),
        lambda post: (
            "".join(f"DKIM-Signature: v=1; d=x.example; h={'a:' * 1900}\r\n" for _ in range(50)) + signed(letter())
        ),
        lambda post: signed(letter(Subject="\r\n a" * 60_000)),
        lambda post: signed(
            letter().replace("To:", "X: y\r\n" * 1_900 + "To:"), names=USUAL + "".join(f":a{n}" for n in range(700))
        ),
        lambda post: (post.key(record=f"p={_a_key_of(1_400)}"), signed(letter()))[1],
    ],
    ids=[
        "blanks in the body",
        "lines",
        "blanks in the signature",
        "many signatures",
        "a long subject",
        "many names",
        "a huge key",
    ],
)
def test_no_mail_takes_long(post: Post, made: Callable[[Post], str]) -> None:
    """What a stranger's mail and his key cost is bounded."""
    message = made(post)
    before = time.process_time()
    post.sender(message)
    assert time.process_time() - before < 2


def test_silent_name_servers_cost_a_while_and_then_nothing(post: Post) -> None:
    """Whoever sends mail of many domains whose servers do not answer stops the asking, not the assistant."""
    post.dns.silent.update(f"n{number}.example" for number in range(10))
    moments = iter(range(0, 1_000, 13))
    lookups = Lookups(f"127.0.0.1:{post.dns.port}", clock=lambda: next(moments))
    with pytest.raises(NoAnswer):
        lookups.texts("n0.example")
    asked = len(post.dns.asked)
    for number in range(1, 10):
        with pytest.raises(NoAnswer):
            lookups.texts(f"n{number}.example")
    assert len(post.dns.asked) == asked


def test_bytes_of_any_kind_are_answered(post: Post) -> None:
    """A signed mail with any one byte changed is verified for its sender or for nobody, and nothing is raised."""
    good = bytearray(signed(letter()).encode())
    senders = post.senders()
    for at in range(0, len(good), 7):
        for byte in (0, 10, 13, 32, 58, 59, 255):
            changed = bytes(good[:at]) + bytes([byte]) + bytes(good[at + 1 :])
            assert senders.of(changed, NOW) in (None, BOSS), (at, byte)
    assert SEPARATE.encode() in good


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: Any) -> Iterator[Post]:
    """One name server for many messages."""
    with dns_server() as dns:
        yield Post(dns, tmp_path_factory.mktemp("state"))


_TAGS = st.dictionaries(
    st.sampled_from(["v", "a", "c", "d", "i", "s", "t", "x", "q", "h", "z", "bh", "odd"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters=";"), max_size=20)
    | st.sampled_from(
        ["", "1", "0", "relaxed", "simple/simple", "rsa-sha256", "@x.example", "x.example", "dns/txt", "9" * 30]
    ),
    max_size=3,
)


@given(tags=_TAGS)
def test_any_tags_of_a_signature_are_answered(lasting: Post, tags: dict[str, str]) -> None:
    """For the sender or for nobody; the library's every exception is a no."""
    lasting.key()
    message = signed(letter(), **tags).encode()
    assert lasting.senders(checks_signatures=True).of(message, NOW) in (None, BOSS, replace(BOSS, is_whole=False))


@given(record=st.binary(max_size=200), is_der=st.booleans())
def test_any_key_is_answered(lasting: Post, record: bytes, is_der: bool) -> None:  # noqa: FBT001  # drawn
    """Bytes as a record, or as a key in a good one."""
    coded = f"v=DKIM1; p={base64.b64encode(record).decode()}".encode() if is_der else record
    said = "".join(f"\\{byte:03d}" for byte in coded) or ""
    lasting.dns.put(
        "s._domainkey.x.example", "TXT", " ".join(f'"{said[at : at + 800]}"' for at in range(0, len(said), 800)) or '""'
    )
    fresh = Senders(lasting.settings(), lasting.state / os.urandom(8).hex(), lambda: NOW)
    assert fresh.of(signed(letter()).encode(), NOW) is None
