"""Who a mail is from: forged and genuine messages, each by what was done to it, with keys that a name server of our own publishes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import dkim
import pytest
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
from tests.tools.mail.signing import USUAL, key, letter, pem, public, quoted, signed, weak_key

from armslength.tools.mail.authentication import Sender

OURS = "Authentication-Results: mx.example.org;"
RELAXED = "v=DMARC1; p=none"
STRICT = "v=DMARC1; p=reject; adkim=s"


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


def with_another_subject(post: Post) -> str:
    """The signature is over another subject."""
    return signed(letter()).replace("Subject: Lunch", "Subject: Pay")


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
