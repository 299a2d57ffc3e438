"""Who a mail is from: forged and genuine messages, each by what was done to it, with keys that a name server of our own publishes."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dkim
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.servers.dns import DnsServer, dns_server
from tests.tools.mail.signing import SEPARATE, USUAL, key, letter, pem, public, quoted, signed, weak_key

from armslength.errors import ConfigError, ToolError
from armslength.tools.mail import catalogue
from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.lookups import Lookups, NoAnswer
from armslength.tools.mail.senders import Senders
from armslength.tools.mail.settings import MailSettings

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
BOSS = Sender("boss@x.example")
OURS = "Authentication-Results: mx.example.org;"
RELAXED = "v=DMARC1; p=none"
STRICT = "v=DMARC1; p=reject; adkim=s"


@dataclass
class Post:
    """What tells who a mail is from, and the name server that it asks."""

    dns: DnsServer
    state: Path
    now: datetime = NOW

    def key(self, domain: str = "x.example", record: str = "", selector: str = "s") -> None:
        """The domain publishes a key."""
        self.dns.put(f"{selector}._domainkey.{domain}", "TXT", quoted(record or f"v=DKIM1; k=rsa; p={public(key())}"))

    def dmarc(self, domain: str, *records: str) -> None:
        """The domain publishes DMARC records."""
        self.dns.put(f"_dmarc.{domain}", "TXT", *map(quoted, records))

    def settings(self, **changed: Any) -> MailSettings:
        """Of a mailbox whose mail is checked."""
        mail = MailSettings(Path("nowhere"), ("me@example.org",), authserv_id="mx.example.org", checks_signatures=True)
        return replace(mail, **{"resolver": f"127.0.0.1:{self.dns.port}", **changed})

    def senders(self, **changed: Any) -> Senders:
        """A new process's."""
        return Senders(self.settings(**changed), self.state, lambda: self.now)

    def sender(self, message: str, days: int = 0) -> Sender | None:
        """Who it is from, delivered so many days ago."""
        return self.senders().of(message.encode(), self.now - timedelta(days=days))


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    """A name server in which x.example has a key."""
    with dns_server() as dns:
        made = Post(dns, tmp_path / "state")
        made.key()
        yield made


def signed_by_the_library(post: Post) -> str:
    """By another signer, every byte as it is."""
    message = letter(body="Hello.  \r\n\r\nTwo  blanks.\r\n\r\n")
    head = dkim.sign(message.encode(), b"s", b"x.example", pem(key()), canonicalize=(b"simple", b"simple"))
    return head.decode() + message


def signed_by_the_organisation(post: Post) -> str:
    """The domain of From lies below that of the signature, and its DMARC record stands at the organisation."""
    post.dmarc("x.example", RELAXED)
    return signed(letter("Boss <boss@news.x.example>"))


def signed_by_a_domain_below(post: Post) -> str:
    """The other way round, the record at the very domain."""
    post.key("mail.x.example")
    post.dmarc("x.example", f"{RELAXED}; adkim=r")
    return signed(letter(), "mail.x.example")


def signed_twice_in_part_and_whole(post: Post) -> str:
    """What the better one covers counts, wherever it stands."""
    return signed(signed(letter()), names="from:subject")


def signed_twice_whole_and_in_part(post: Post) -> str:
    """The other way round."""
    return signed(signed(letter(), names="from:subject"))


def signed_by_a_service_too(post: Post) -> str:
    """What sends for many signs for itself above the domain."""
    post.key("sender.example")
    return signed(signed(letter()), "sender.example")


def folded(post: Post) -> str:
    """Names of fields in other letters, folded fields, a folded list of what is signed."""
    message = letter(Subject="A long\r\n\tsubject").replace("From:", "FROM:")
    return signed(message, names="From :\r\n  To:Subject :Date:Message-ID").replace("; bh=", ";\r\n bh=")


def with_parts_and_an_unsigned_content_type(post: Post) -> str:
    """As a large provider signs: the type not, From and Subject twice, so that nobody adds another."""
    body = "--b1\r\nContent-Type: text/plain\r\n\r\nHello.\r\n--b1--\r\n"
    message = letter(body=body, MIME_Version="1.0", Content_Type='multipart/alternative; boundary="b1"')
    return signed(message, names="mime-version:from:date:message-id:subject:to:from:to:cc:subject")


def of_an_international_domain(post: Post) -> str:
    """By its ASCII form."""
    post.key("xn--bcher-kva.example")
    return signed(letter("Boss <boss@xn--bcher-kva.example>"), "xn--bcher-kva.example")


def forwarded(post: Post) -> str:
    """Another server passed it on, and says on top what it thinks of it."""
    return (
        f"Received: by forwarder.example\r\nAuthentication-Results: forwarder.example; dkim=fail\r\n{signed(letter())}"
    )


def by_a_list_in_its_own_name(post: Post) -> str:
    """The list wrote From anew, and is who it is from."""
    post.key("lists.example")
    return signed(letter("Boss via List <list@lists.example>", Reply_To="boss@x.example"), "lists.example")


def vouched_for_by_our_server(post: Post) -> str:
    """No key is asked for."""
    return f"{OURS} dmarc=pass header.from=x.example\r\n{letter()}"


def named_like_another_address(post: Post) -> str:
    """Whose address it is counts, whatever name stands before it."""
    post.key("evil.example")
    return signed(letter('"boss@x.example" <eve@evil.example>'), "evil.example")


GENUINE = {
    signed_by_the_library: BOSS,
    signed_by_the_organisation: Sender("boss@news.x.example"),
    signed_by_a_domain_below: BOSS,
    signed_by_a_service_too: BOSS,
    signed_twice_in_part_and_whole: BOSS,
    signed_twice_whole_and_in_part: BOSS,
    folded: BOSS,
    with_parts_and_an_unsigned_content_type: BOSS,
    of_an_international_domain: Sender("boss@xn--bcher-kva.example"),
    forwarded: BOSS,
    by_a_list_in_its_own_name: Sender("list@lists.example"),
    vouched_for_by_our_server: BOSS,
    named_like_another_address: Sender("eve@evil.example"),
}


@pytest.mark.parametrize("made", GENUINE, ids=lambda made: made.__name__)
def test_a_genuine_mail_is_from_its_sender(post: Post, made: Callable[[Post], str]) -> None:
    """Whatever way it came and whoever signed it for the domain."""
    assert post.sender(made(post)) == GENUINE[made]


def unsigned(post: Post) -> str:
    """Anybody can write a From."""
    return letter()


def with_another_body(post: Post) -> str:
    """The signature is over another body."""
    return signed(letter()).replace("Hello.", "Pay.")


def with_another_subject(post: Post) -> str:
    """The signature is over another subject."""
    return signed(letter()).replace("Subject: Lunch", "Subject: Pay")


def with_a_tail(post: Post) -> str:
    """`l=` leaves the end of the body to anybody."""
    return signed(letter(), l="8") + "Pay.\r\n"


def with_l_over_all(post: Post) -> str:
    """Nothing was added yet, but anybody could have."""
    return signed(letter(), l="8")


def with_a_second(line: str) -> Callable[[Post], str]:
    """Another field of a signed name above: the signature holds, and a reader sees the upper one."""

    def a_second_field(post: Post) -> str:
        return f"{line}\r\n{signed(letter(Content_Type='text/plain'), names=USUAL)}"

    a_second_field.__name__ = f"with a second {line.partition(':')[0]}"
    return a_second_field


def with_a_second_from_below(post: Post) -> str:
    """The signature is over the lower one, and we would show the upper."""
    return signed(letter("Eve <eve@evil.example>")).replace("To:", "From: Boss <boss@x.example>\r\nTo:", 1)


def without_from_in_what_is_signed(post: Post) -> str:
    """The library takes it for good."""
    return signed(letter(), names="to:subject:date")


def with_a_subject_that_is_not_signed(post: Post) -> str:
    """It was added to a mail without any."""
    return signed(letter(Subject="")).replace("To:", "Subject: Pay\r\nTo:", 1)


def with_a_type_that_is_not_signed(post: Post) -> str:
    """As HTML, the same bytes read otherwise."""
    return signed(letter()).replace("To:", "Content-Type: text/html\r\nTo:", 1)


def past_its_time(post: Post) -> str:
    """`x=` is over."""
    return signed(letter(), x=str(int(NOW.timestamp()) - 1))


def of_the_future(post: Post) -> str:
    """`t=` lies after `x=`."""
    return signed(letter(), t=str(int(NOW.timestamp()) + 100), x=str(int(NOW.timestamp()) + 50))


def by_a_weak_key(post: Post) -> str:
    """768 bits are broken at a desk."""
    pair = weak_key(768)
    post.key(record=f"p={public(pair)}")
    return signed(letter(), pair=pair)


def by_sha1(post: Post) -> str:
    """RFC 8301 forbids it."""
    return signed(letter(), digest="sha1")


def by_another_domain(post: Post) -> str:
    """A good signature of whoever sent it."""
    post.key("evil.example")
    return signed(letter(), "evil.example")


def by_a_public_suffix(post: Post) -> str:
    """Nobody who registers domains speaks for those below."""
    post.key("co.uk")
    post.dmarc("bank.co.uk", RELAXED)
    return signed(letter("Bank <info@bank.co.uk>"), "co.uk")


def by_a_neighbour_on_a_shared_host(post: Post) -> str:
    """Two customers of one host are two organisations."""
    post.key("evil.github.io")
    post.dmarc("nice.github.io", RELAXED)
    return signed(letter("Nice <me@nice.github.io>"), "evil.github.io")


def by_a_domain_below_where_dmarc_is_strict(post: Post) -> str:
    """`adkim=s`: the very domain alone."""
    post.key("users.x.example")
    post.dmarc("x.example", STRICT)
    return signed(letter(), "users.x.example")


def by_a_domain_below_without_dmarc(post: Post) -> str:
    """The organisation did not say that those below speak for it."""
    post.key("users.x.example")
    return signed(letter(), "users.x.example")


def by_a_domain_below_with_two_records(post: Post) -> str:
    """Two DMARC records are none."""
    post.key("users.x.example")
    post.dmarc("x.example", RELAXED, "v=DMARC1; p=reject")
    return signed(letter(), "users.x.example")


def from_two(post: Post) -> str:
    """Nobody can say whose words these are."""
    return signed(letter("boss@x.example, eve@evil.example"))


def from_a_group(post: Post) -> str:
    """Mail programs read it differently."""
    return signed(letter("Board: boss@x.example;"))


def from_nobody(post: Post) -> str:
    """The null sender."""
    return signed(letter("<>"))


def from_an_address_in_a_name(post: Post) -> str:
    """Some readers take the first address."""
    return signed(letter("boss@x.example <boss@x.example>"))


def from_a_domain_that_looks_alike(post: Post) -> str:
    """A Cyrillic letter; the address is no plain one."""
    return signed(letter("Boss <boss@х.example>"))


def with_a_revoked_key(post: Post) -> str:
    """An empty `p=`."""
    post.key(record="v=DKIM1; p=")
    return signed(letter())


def with_a_key_for(record: str) -> Callable[[Post], str]:
    """A key record that is not for this."""

    def a_key(post: Post) -> str:
        post.key(record=f"{record}; p={public(key())}")
        return signed(letter(), i="@sub.x.example")

    a_key.__name__ = f"with a key for {record}"
    return a_key


def with_two_keys(post: Post) -> str:
    """Which one counts is up to nobody."""
    record = quoted(f"p={public(key())}")
    post.dns.put("s._domainkey.x.example", "TXT", record, quoted(f"p={public(key(1024, 1))}"))
    return signed(letter())


def without_a_key(post: Post) -> str:
    """The name does not exist."""
    return signed(letter(), s="other")


def with_another_key(post: Post) -> str:
    """Signed by whoever has a key."""
    return signed(letter(), pair=key(1024, 1))


def denied_by_our_server(post: Post) -> str:
    """The server's no stands above a signature that holds."""
    return f"{OURS} dmarc=fail header.from=x.example\r\n{signed(letter())}"


def with_a_forged_result(line: str) -> Callable[[Post], str]:
    """A field that looks like our server's."""

    def a_result(post: Post) -> str:
        return f"{line}\r\n{letter()}"

    a_result.__name__ = f"with {line.partition(':')[2].strip()[:40]}"
    return a_result


def passed_on_by_a_list_that_changed_it(post: Post) -> str:
    """The signature is broken, the list's own is not of the sender, and a chain of others' results (ARC) is their word alone."""
    post.key("lists.example")
    message = signed(letter()).replace("Subject: Lunch", "Subject: [list] Lunch")
    chain = "ARC-Authentication-Results: i=1; lists.example; dkim=pass header.d=x.example; dmarc=pass header.from=x.example\r\n"
    return chain + signed(message, "lists.example")


def with_a_bare_carriage_return(post: Post) -> str:
    """Readers part on where the line ends."""
    return signed(letter(Subject="Lunch\rX: y"))


def with_a_line_that_is_no_field(post: Post) -> str:
    """The library leaves a line that begins with `From ` out."""
    return signed(letter()).replace("To:", "From eve@evil.example\r\nTo:", 1)


def with_a_blank_before_the_colon(post: Post) -> str:
    """The library leaves it out, a mail program shows it."""
    return signed(letter()).replace("To:", "From : Eve <eve@evil.example>\r\nTo:", 1)


def with_a_from_that_the_library_leaves_out(post: Post) -> str:
    """The domain signed a mail of its user's that had none."""
    return signed(letter("")).replace("To:", "From : Boss <boss@x.example>\r\nTo:", 1)


def with_a_tag_twice(post: Post) -> str:
    """Which one counts is up to nobody."""
    return signed(letter()).replace("v=1;", "v=1; d=evil.example;", 1)


def with_the_signature_of_another_mail(post: Post) -> str:
    """Replayed over other words."""
    return signed(letter()).partition("\r\n")[0] + "\r\n" + letter(body="Pay.\r\n")


FORGED: list[Callable[[Post], str]] = [
    unsigned, with_another_body, with_another_subject, with_a_tail, with_l_over_all,
    with_a_second("From: Boss <boss@x.example>"), with_a_second("From: Eve <eve@evil.example>"),
    with_a_second("Subject: Pay"), with_a_second("To: eve@evil.example"),
    with_a_second("Content-Type: text/html"), with_a_second("Date: Tue, 1 Dec 2026 08:00:00 +0000"),
    with_a_second_from_below, without_from_in_what_is_signed, with_a_subject_that_is_not_signed,
    with_a_type_that_is_not_signed, past_its_time, of_the_future, by_a_weak_key, by_sha1, by_another_domain, by_a_public_suffix,
    by_a_neighbour_on_a_shared_host, by_a_domain_below_where_dmarc_is_strict, by_a_domain_below_without_dmarc,
    by_a_domain_below_with_two_records, from_two, from_a_group, from_nobody, from_an_address_in_a_name,
    from_a_domain_that_looks_alike, with_a_revoked_key, with_a_key_for("t=y"), with_a_key_for("t=s"),
    with_a_key_for("s=tlsrpt"), with_a_key_for("s=other"), with_a_key_for("h=sha1"), with_a_key_for("k=ed25519"), with_a_key_for("v=DKIM2"), with_two_keys,
    without_a_key, with_another_key, denied_by_our_server,
    with_a_forged_result("Authentication-Results: mx.example.org.evil.example; dmarc=pass header.from=x.example"),
    with_a_forged_result("Authentication-Results: mx.examp1e.org; dmarc=pass header.from=x.example"),
    with_a_forged_result("Authentication-Results: (mx.example.org)\r\n evil.example; dmarc=pass header.from=x.example"),
    with_a_forged_result(f"{OURS} none\r\n{OURS} dmarc=pass header.from=x.example"),
    passed_on_by_a_list_that_changed_it, with_a_bare_carriage_return, with_a_line_that_is_no_field,
    with_a_blank_before_the_colon,
    with_a_from_that_the_library_leaves_out, with_a_tag_twice, with_the_signature_of_another_mail,
]  # fmt: skip


@pytest.mark.parametrize("made", FORGED, ids=lambda made: made.__name__)
def test_a_forged_mail_is_from_nobody(post: Post, made: Callable[[Post], str]) -> None:
    """No server and no signature vouches for it, so it is `mail:unverified`."""
    assert post.sender(made(post)) is None


def test_the_keys_for_forgeries_would_do_otherwise(post: Post) -> None:
    """The same letters, signed as they should be, are verified: what is refused is what each forgery changed."""
    post.key("users.x.example")
    post.dmarc("x.example", RELAXED)
    assert post.sender(signed(letter(), x="4000000000", i="@sub.x.example")) == BOSS
    assert post.sender(signed(letter(), "users.x.example")) == BOSS
    assert post.sender(signed(letter(Content_Type="text/html"))) == BOSS


@pytest.mark.parametrize("field", ["To", "Cc", "Reply-To", "Date", "Message-ID", "In-Reply-To", "References"])
def test_what_is_not_signed_of_whom_and_when_is_not_the_senders(post: Post, field: str) -> None:
    """The words are, as some large providers sign."""
    names = ":".join(name for name in USUAL.split(":") if name != field.lower())
    message = letter(**{field.replace("-", "_"): "<1@x.example>"})
    assert post.sender(signed(message, names=names)) == replace(BOSS, is_whole=False)


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
        return [next(iter(each.data["body"].label.data)).name for each in home.call("search_emails").data]

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
