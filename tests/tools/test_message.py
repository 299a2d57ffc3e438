"""Messages from bytes: what is read of real and broken ones, and whose word counts for the sender."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from armslength.tools.mail.authentication import authentication
from armslength.tools.mail.headers import Address
from armslength.tools.mail.message import FLAWS, Attachment, Message, read_message

MAIL = Path(__file__).parents[1] / "fixtures" / "mail"
FILES = sorted(path for path in MAIL.glob("*/*") if path.is_file())
RAWS = [path.read_bytes() for path in FILES]


def headers(*lines: str) -> Message:
    """The message with these header lines and the body `x`."""
    return read_message(("\r\n".join(lines) + "\r\n\r\nx\r\n").encode("utf-8", "surrogateescape"))


def test_there_are_enough_foreign_messages() -> None:
    """At least sixty messages that our code did not write."""
    assert len(FILES) >= 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_foreign_message_is_read(path: Path) -> None:
    """Each of them gives a message whose flaws come from the fixed list and whose text can be encoded."""
    message = read_message(path.read_bytes())
    assert set(message.flaws) <= FLAWS - {"unreadable"}
    repr(message).encode()
    assert message.body_kind != "none" or not message.body


def test_most_foreign_messages_have_a_body() -> None:
    """Broken as they are, their text is found."""
    assert sum(1 for raw in RAWS if read_message(raw).body) >= 50


def test_a_plain_message_is_read_whole() -> None:
    """RFC 5322, A.1.2: quoted names, several recipients."""
    assert read_message((MAIL / "rfc" / "rfc5322-a12.eml").read_bytes()) == Message(
        message_id="<5678.21-Nov-1997@example.com>",
        in_reply_to="",
        references=(),
        from_name="Joe Q. Public",
        from_address="john.q.public@example.com",
        reply_to=(),
        to=(Address("Mary Smith", "mary@x.test"), Address("", "jdoe@example.org"), Address("Who?", "one@y.test")),
        cc=(Address("", "boss@nil.test"), Address('Giant; "Big" Box', "sysservices@example.net")),
        subject="",
        date_claimed=datetime(2003, 7, 1, 8, 52, 37, tzinfo=UTC),
        body="Hi everyone.",
        body_kind="plain",
        attachments=(),
        flaws=(),
    )


def test_a_reply_is_read_whole() -> None:
    """RFC 5322, A.2: the thread's ids, a colon in a quoted name."""
    assert read_message((MAIL / "rfc" / "rfc5322-a2.eml").read_bytes()) == Message(
        message_id="<3456@example.net>",
        in_reply_to="<1234@local.machine.example>",
        references=("<1234@local.machine.example>",),
        from_name="Mary Smith",
        from_address="mary@example.net",
        reply_to=(Address("Mary Smith: Personal Account", "smith@home.example"),),
        to=(Address("John Doe", "jdoe@machine.example"),),
        cc=(),
        subject="Re: Saying Hello",
        date_claimed=datetime(1997, 11, 21, 16, 1, 10, tzinfo=UTC),
        body="This is a reply to your hello.",
        body_kind="plain",
        attachments=(),
        flaws=(),
    )


def test_a_message_with_an_image_is_read_whole() -> None:
    """CPython's msg_07: text beside an attachment, whose size is that of the decoded bytes."""
    assert read_message((MAIL / "cpython" / "msg_07.txt").read_bytes()) == Message(
        message_id="",
        in_reply_to="",
        references=(),
        from_name="Barry",
        from_address="barry@digicool.com",
        reply_to=(),
        to=(Address("Dingus Lovers", "cravindogs@cravindogs.com"),),
        cc=(),
        subject="Here is your dingus fish",
        date_claimed=datetime(2001, 4, 20, 23, 35, 2, tzinfo=UTC),
        body="Hi there,\n\nThis is the dingus fish.",
        body_kind="plain",
        attachments=(Attachment("dingusfish.gif", "image/gif", 3512),),
        flaws=("no message id",),
    )


def test_a_spam_with_broken_fields_is_read_whole() -> None:
    """mail-parser's mail_test_12: GB2312 words, an 8-bit recipient, no Message-ID."""
    assert read_message((MAIL / "mail-parser" / "mail_test_12").read_bytes()) == Message(
        message_id="",
        in_reply_to="",
        references=(),
        from_name="张先生",
        from_address="baoguan@hotmail.com",
        reply_to=(),
        to=(Address("danglüe@email.com", ""),),
        cc=(),
        subject="代开各地增值税发票",
        date_claimed=datetime(2018, 5, 13, 4, 32, 22, tzinfo=UTC),
        body="你好！我公司可代开各类增值税发票，17%专用发票，3%普通发票，点数优惠，所开发票均可查询验证后\n"
        "付款，电话：13662615434张经理 （微信同号13662615434）此信息永久有效望存",
        body_kind="plain",
        attachments=(),
        flaws=("no message id", "unreadable address", "wrong charset"),
    )


@pytest.mark.parametrize(
    ("name", "sender", "kind", "attachments", "flaws"),
    [
        ("rfc/rfc5322-a5.eml", "", "plain", 0, ("unreadable address", "unreadable sender")),
        ("rfc/rfc5322-a61.eml", "john.q.public@example.com", "plain", 0, ("unreadable address",)),
        ("cpython/msg_02.txt", "ppp-request@zzz.org", "plain", 5, ("no message id",)),
        ("cpython/msg_16.txt", "postmaster@ucla.edu", "plain", 2, ()),
        ("cpython/msg_20.txt", "bbb@ddd.com", "plain", 0, ("duplicate header Cc",)),
        (
            "cpython/msg_25.txt",
            "MAILER-DAEMON@zinfandel.lacita.com",
            "plain",
            0,
            ("broken MIME", "duplicate header To"),
        ),
        ("cpython/msg_35.txt", "aperson@dom.ain", "plain", 0, ("broken header block", "no date", "no message id")),
        ("cpython/msg_43.txt", "", "plain", 2, ("unreadable sender",)),
        ("cpython/msg_47.txt", "arthur@example.example", "html", 0, ("no message id",)),
        ("mail-parser/mail_malformed_3", "smgsiso@yahoo.com.mx", "plain", 0, ("NUL characters", "broken MIME")),
        ("mail-parser/mail_test_19", "", "plain", 0, ("unreadable address", "unreadable sender")),
    ],
)
def test_what_is_wrong_is_named(name: str, sender: str, kind: str, attachments: int, flaws: tuple[str, ...]) -> None:
    """Broken messages are read as far as they can be, and say in what way they are broken."""
    message = read_message((MAIL / name).read_bytes())
    assert (message.from_address, message.body_kind, len(message.attachments), message.flaws) == (
        sender,
        kind,
        attachments,
        flaws,
    )


@given(st.binary(max_size=2000))
@example(b"")
@example(b"\n")
@example(b"\x00" * 100)
@example(b'Content-Type: multipart/mixed; boundary="="\n\n--=\n\n--=--')
def test_any_bytes_are_read(raw: bytes) -> None:
    """No bytes make the reader fail."""
    assert set(read_message(raw).flaws) <= FLAWS - {"unreadable"}
    assert authentication(raw, "mx.example") is None or b"mx.example" in raw


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A foreign message with a few places changed, cut, doubled or mixed with another."""
    raw = draw(st.sampled_from(RAWS))[:20_000]
    for _ in range(draw(st.integers(1, 4))):
        at, length = draw(st.integers(0, len(raw))), draw(st.integers(0, 60))
        other = draw(st.sampled_from(RAWS))
        start = draw(st.integers(0, len(other)))
        middle = draw(
            st.one_of(st.binary(max_size=8), st.just(other[start : start + length]), st.just(raw[at : at + length] * 2))
        )
        raw = raw[:at] + middle + raw[at + draw(st.integers(0, 60)) :]
    return raw


@given(mutated())
def test_mutated_messages_are_read(raw: bytes) -> None:
    """Damaged real messages are read too, and what comes out can be encoded."""
    message = read_message(raw)
    assert set(message.flaws) <= FLAWS - {"unreadable"}
    repr(message).encode()
    assert "\0" not in message.body + message.subject


# --- fields ---


@pytest.mark.parametrize(
    ("value", "name", "address", "flaw"),
    [
        ("Alice <alice@Example.COM>", "Alice", "alice@example.com", None),
        ('"boss@x.example" <evil@y.example>', "boss@x.example", "evil@y.example", None),
        ("=?utf-8?q?=3Cboss=40x=2Eexample=3E?= <evil@y.example>", "<boss@x.example>", "evil@y.example", None),
        ("alice@x.example (Alice)", "Alice", "alice@x.example", None),
        ("boss@x.example <evil@y.example>", "boss@x.example", "", "unreadable sender"),
        ("<boss@x.example> <evil@y.example>", "<evil@y.example>", "", "unreadable sender"),
        ("boss@x.example, evil@y.example", "", "", "several senders"),
        ("boss@x.example(,evil@y.example", "", "", "unreadable sender"),
        ("A group: boss@x.example;", "", "boss@x.example", None),
        ("alice@x.example)bob@y.example", "alice@x.example)bob@y.example", "", "unreadable sender"),
        ('"a b"@x.example', "a b@x.example", "", "unreadable sender"),
        ("alice@[127.0.0.1]", "alice@[127.0.0.1]", "", "unreadable sender"),
        ("alice@x.example\0", "alice@x.example\ufffd", "", "unreadable sender"),
        ("b\u043ess@x.example", "b\u043ess@x.example", "", "unreadable sender"),
        ("<>", "", "", "unreadable sender"),
        ("", "", "", "no sender"),
    ],
)
def test_the_sender_is_one_plain_mailbox_or_none(value: str, name: str, address: str, flaw: str | None) -> None:
    """Only a From that every reader takes for the same one mailbox gives an address."""
    message = headers(f"From: {value}", "Date: 1 Jan 2024 00:00 +0000", "Message-ID: <1@x>")
    assert (message.from_name, message.from_address, message.flaws) == (name, address, (flaw,) if flaw else ())


@pytest.mark.parametrize("second", ["From: evil@y.example", "FROM : evil@y.example", "from:\r\n evil@y.example"])
def test_two_from_fields_leave_no_sender(second: str) -> None:
    """Which of two From fields counts differs between programs, so none does."""
    message = headers("From: boss@x.example", second, "Date: 1 Jan 2024 00:00 +0000", "Message-ID: <1@x>")
    assert (message.from_address, message.flaws) == ("", ("duplicate header From", "several senders"))


def test_a_bare_carriage_return_begins_no_field() -> None:
    """What the mail server took for part of the subject is no field here either."""
    message = read_message(b"Subject: a\rFrom: boss@x.example\r\n\r\nbody")
    assert (message.subject, message.from_address) == ("a From: boss@x.example", "")


@pytest.mark.parametrize(
    ("value", "subject"),
    [
        ("=?utf-8?b?R3LDtsOfZQ==?= =?UTF-8?Q?_x?=", "Größe x"),
        ("=?utf-8?q?=c3?= =?utf-8?q?=b6?=", "ö"),
        ("=?iso-8859-1?q?caf=e9?= au lait", "café au lait"),
        ("=?nonsense?q?a=e9?=", "aé"),
        ("=?unicode_escape?q?=5Cu202e?=", "\\u202e"),
        ("=?utf-8?b?!!!?= =?utf-8?x?y?=", " =?utf-8?x?y?="),
        ("=?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
        ("folded\r\n\tline", "folded\tline"),
        ("8-bit ö", "8-bit ö"),
    ],
)
def test_subjects_are_decoded(value: str, subject: str) -> None:
    """Encoded words, also broken ones, folding and raw 8-bit text give one line."""
    assert headers(f"Subject: {value}").subject == subject


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ("Content-Disposition: attachment; filename*=utf-8''%e2%82%ac.txt", "€.txt"),
        ('Content-Disposition: attachment; filename*0="a;"; filename*1*=%20b; filename=c', "a; b"),
        ('Content-Disposition: attachment; filename="=?utf-8?q?=C3=B6.txt?="', "ö.txt"),
        ("Content-Disposition: attachment; FileName=a.txt; filename=b.txt", "a.txt"),
        ('Content-Type: text/plain; name="a\\"b.txt"\r\nContent-Disposition: attachment', 'a"b.txt'),
        ("Content-Disposition: attachment; filename*999999999999=x", ""),
    ],
)
def test_attachment_names_are_decoded(fields: str, name: str) -> None:
    """Quoted names, encoded words and RFC 2231 forms; the first of two counts."""
    assert headers(fields).attachments == (Attachment(name, "text/plain", 3),)


@pytest.mark.parametrize("value", ["", "tomorrow", "Mon, 99 Foo 2024", "1 Jan 99999 00:00", "9" * 300])
def test_a_bad_date_is_no_date(value: str) -> None:
    """Whatever stands in Date gives a time or none."""
    message = headers(f"Date: {value}")
    assert message.date_claimed is None
    assert {"no date", "unreadable date"} & set(message.flaws)


# --- bodies ---


def multipart(kind: str, *parts: str) -> Message:
    """A message of these parts."""
    lines = [
        f"Content-Type: multipart/{kind}; boundary=b",
        "",
        *(f"--b\n{part}" for part in parts),
        "--b--",
        "epilogue",
    ]
    return read_message("\n".join(lines).encode())


def test_plain_text_is_preferred_and_blank_text_is_not() -> None:
    """Of two forms of a text the plain one counts, unless there is nothing in it."""
    html = "Content-Type: text/html\n\n<p>rich"
    message = multipart("alternative", "Content-Type: text/plain\n\nplain", html)
    assert (message.body, message.body_kind) == ("plain", "plain")
    message = multipart("alternative", "Content-Type: text/plain\n\n \n", html)
    assert (message.body, message.body_kind) == ("rich", "html")


def test_texts_are_joined_and_attachments_set_apart() -> None:
    """All inline text is the body; a named part or one of another type is an attachment."""
    message = multipart(
        "mixed",
        "\none",
        "Content-Type: text/plain; name=x.txt\n\nnamed",
        "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nAAAA\nAA==\n",
        "Content-Type: message/rfc822\n\nSubject: inner\n\nhidden",
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ntw=F6 =\nlines",
    )
    assert message.body == "one\n\ntwö lines"
    assert message.attachments == (
        Attachment("x.txt", "text/plain", 5),
        Attachment("", "application/pdf", 4),
        Attachment("", "message/rfc822", 22),
    )


@pytest.mark.parametrize(
    ("fields", "body", "text", "flaw"),
    [
        ("Content-Type: text/plain; charset=utf-8", b"caf\xe9", "café", "wrong charset"),
        ("Content-Type: text/plain; charset=klingon", b"caf\xc3\xa9", "café", "wrong charset"),
        ("Content-Type: text/plain; charset=zlib_codec", b"x", "x", "wrong charset"),
        ("Content-Type: text/plain; charset=us-ascii", b"caf\xc3\xa9", "café", "wrong charset"),
        ("Content-Type: text/plain; charset=shift_jis", b"\x93\xfa\x96{", "日本", None),
        ("Content-Type: text/plain; charset=iso-8859-1", b"\x80 5", "€ 5", None),
        ("Content-Transfer-Encoding: base64", b"aGVsbG8", "hello", None),
        ("Content-Transfer-Encoding: base64", b"aGVsbG8gd29ybGQhx", "hello world!", "broken transfer encoding"),
        ("Content-Transfer-Encoding: x-odd", b"hello", "hello", "broken transfer encoding"),
        ("Content-Type: nonsense", b"hello", "hello", "broken MIME"),
        ("Content-Type: multipart/mixed", b"hello", "hello", "broken MIME"),
        ("Content-Type: multipart/mixed; boundary=b", b"--b\n\nhello", "hello", "broken MIME"),
        ("Content-Type: multipart/mixed; boundary=b", b"--bb\n\n--b \r\n\r\nhello\r\n--b--\r\n", "hello", None),
        ("Content-Type: text/plain", b"a\x00b", "a\ufffdb", "NUL characters"),
    ],
)
def test_bodies_are_decoded_as_far_as_they_can_be(fields: str, body: bytes, text: str, flaw: str | None) -> None:
    """Wrong or unknown charsets, encodings and boundaries still give text, and are named."""
    message = read_message(fields.encode() + b"\nFrom: a@b.c\nDate: 1 Jan 2024 00:00\nMessage-ID: <1@x>\n\n" + body)
    assert (message.body, message.flaws) == (text, (flaw,) if flaw else ())


def test_hidden_html_is_marked() -> None:
    """HTML-only mail becomes text with the hidden parts marked."""
    message = read_message(b"Content-Type: text/html\n\n<p>Hi<p style='display:none'>obey")
    assert (message.body, message.body_kind) == ("Hi\n\n[hidden text: obey]", "html")


def test_a_reference_of_thousands_of_digits_is_read() -> None:
    """Python makes no number of so many digits; where the structure is nested too deeply to be read, that met the reader twice."""
    message = read_message(b"Content-Type: text/html\n\n" + b"<b>" * 500 + b"Hi &#" + b"9" * 5_000 + b"; there")
    assert message.body.splitlines()[1:] == ["Hi \ufffd there"]
    assert message.body_kind == "html"


def test_a_message_that_cannot_be_read_says_so() -> None:
    """Whatever fails in reading it costs this message alone: it is from nobody."""

    def failing(_: Sequence[str]) -> list[str]:
        raise ValueError("9" * 5_000)

    message = read_message(b"From: a@b.c\nContent-Type: text/html\n\nHi", failing)
    assert message.subject == message.body == "[this mail cannot be read here; open it in another program]"
    assert (message.from_address, message.flaws) == ("", ("unreadable",))


def test_a_large_attachment_is_measured_not_decoded() -> None:
    """Fifty megabytes take little time, and little memory beyond the bytes themselves."""
    line = b"QUFB" * 19 + b"\r\n"
    raw = (
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n--b\r\nContent-Type: video/mp4\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n" + line * (50_000_000 // len(line)) + b"\r\n--b--\r\n"
    )
    tracemalloc.start()
    before = time.process_time()
    message = read_message(raw)
    seconds, (_, peak) = time.process_time() - before, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (message.body, message.attachments) == (
        "hello",
        (Attachment("", "video/mp4", 50_000_000 // len(line) * 57),),
    )
    assert seconds < 5
    assert peak < 5_000_000


def nested(depth: int) -> bytes:
    """Parts in parts in parts."""
    heads = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth))
    return heads + b"\ndeep"


@pytest.mark.parametrize(
    ("raw", "flaw"),
    [
        (nested(2_000), "nested too deeply"),
        (b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 100_000, "too many parts"),
        (b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--bb\n" * 1_000_000, "broken MIME"),
        (b"\n" + b"a" * 5_000_000, "body cut"),
        (b"X: " + b"y" * 5_000_000, "broken header block"),
        (b"X: y\n" * 500_000, "broken header block"),
        (b"From: " + b"(" * 60_000 + b"\n\nx", "unreadable sender"),
        (b"From: " + b"<" * 60_000 + b"\n\nx", "unreadable sender"),
        (b"To: " + b"a@b.c," * 10_000 + b"\n\nx", "unreadable address"),
        (b"Subject: " + b"=?utf-8?q?" * 6_000 + b"\n\nx", "no date"),
        (b"Content-Type: text/plain" + b"; a*0" * 10_000 + b"\n\nx", "no date"),
        (b'Content-Type: text/plain; a="' + b"\\" * 60_001 + b"\n\nx", "no date"),
        (b"To: " + b'"\\' * 30_000 + b"\n\nx", "unreadable address"),
        (b"To: " + b'"a' * 30_001 + b"\n\nx", "unreadable address"),
        (b"From: " + b'"\\' * 30_000 + b"\n\nx", "unreadable sender"),
        (b"To: " + b"<a" * 30_000 + b"\n\nx", "unreadable address"),
        (b"To: " + b"a " * 30_000 + b"\n\nx", "unreadable address"),
        (b"Content-Type: text/plain" + b";" * 60_000 + b"\n\nx", "no date"),
        (b"Content-Type: text/plain" + b"; " * 30_000 + b"\n\nx", "no date"),
    ],
    ids=range(19),
)
def test_work_is_bounded(raw: bytes, flaw: str) -> None:
    """Repetition of anything costs little time and is named where something was left out."""
    before = time.process_time()
    message = read_message(raw)
    assert time.process_time() - before < 3
    assert flaw in message.flaws
