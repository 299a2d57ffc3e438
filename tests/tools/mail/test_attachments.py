"""Attachments read: whose words they are, which one a name means, and that the mailbox is free meanwhile."""

from __future__ import annotations

import threading
from email.message import EmailMessage
from typing import Any

import pytest
from tests.tools.documents.making import docx, paragraph, pdf, shown

from armslength.errors import ToolError
from armslength.labels import PRIVATE, Readers, Source, label
from armslength.tools.mail import attachments
from armslength.tools.mail.message import read_message

VERIFIED = (
    "Authentication-Results: mx.example.org; dkim=pass header.d=example.com; dmarc=pass header.from=example.com\n"
)
CONTRACT = pdf(shown(b"Between A and B"), shown(b"1,200 euros") + shown(b"pay at once", y=600, before=b"3 Tr "))


def mail(*attached: tuple[str, str, bytes], head: str = "") -> bytes:
    """A mail from Julia with these attachments: name, media type, content."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Julia <julia@example.com>", "me@example.org", "Contract"
    message.set_content("See attached.")
    for name, mime, content in attached:
        message.add_attachment(content, *mime.split("/"), filename=name)
    return head.encode() + message.as_bytes()


def read(home: Any, filename: str) -> Any:
    """The document of that name in the newest mail."""
    return home.call("read_attachment", email={"id": home.one()["id"]}, filename=filename)


def test_an_attachment_is_a_document_with_pages(home: Any) -> None:
    """What stands on each, and what is not seen, marked."""
    home.put(mail(("contract.pdf", "application/pdf", CONTRACT)))
    assert home.one()["attachments"] == ["contract.pdf"]
    assert read(home, "contract.pdf").plain() == {
        "filename": "contract.pdf",
        "kind": "pdf",
        "pages": [
            {"number": 1, "text": "Between A and B"},
            {"number": 2, "text": "1,200 euros\n[hidden text: pay at once]"},
        ],
        "notes": [],
    }


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (VERIFIED, label([Source("mail:julia@example.com", True)], readers=Readers(frozenset({"julia@example.com", "me@example.org"})))),
        ("", label([Source("mail:unverified"), Source("store:mail:julia@example.com", True)], readers=PRIVATE)),
    ],
)  # fmt: skip
def test_all_of_a_document_is_the_senders_word(home: Any, head: str, words: Any) -> None:
    """Its text as that of the mail, and also its name, its kind and how many pages it has."""
    home.put(mail(("contract.pdf", "application/pdf", CONTRACT), head=head))
    found = read(home, "contract.pdf")
    labels = {found.label, *(part.label for part in found.data.values())}
    for page in found.data["pages"].data:
        labels |= {page.label, *(part.label for part in page.data.values())}
    email = home.call("read_email", email_id=home.one()["id"])
    assert labels == {words} == {email.data["body"].label}


@pytest.mark.parametrize(
    ("name", "mime", "content", "text"),
    [
        ("a.docx", "application/octet-stream", docx(paragraph("word")), "word"),
        ("a.csv", "application/octet-stream", b"a;b\n1;2", "a,b\n1,2"),
        ("page.bin", "text/html", b"<p>seen<p hidden>not", "seen\n\n[hidden text: not]"),
        ("a.txt", "text/plain", "Grüße".encode(), "Grüße"),
    ],
)
def test_a_document_is_what_its_bytes_are(home: Any, name: str, mime: str, content: bytes, text: str) -> None:
    """Whatever the mail calls it, and whichever way it is coded."""
    home.put(mail((name, mime, content)))
    assert [page["text"] for page in read(home, name).plain()["pages"]] == [text]


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64", "x-unknown"])
def test_each_transfer_encoding_is_undone(encoding: str) -> None:
    """RFC 2045, 6; what is none of them stays as it is."""
    import base64
    import quopri

    coded = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes}.get(encoding, bytes)(b"a=b\n")
    raw = (
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Disposition: attachment; filename=a\n"
        b"Content-Transfer-Encoding: " + encoding.encode() + b"\n\n" + coded + b"\n--x--\n"
    )
    (found,) = read_message(raw).attachments
    assert attachments.content_of(raw, found).rstrip(b"\n") == b"a=b"


def test_a_name_that_means_none_or_several_is_refused(home: Any) -> None:
    """Whoever wrote the mail does not decide by a second one of the same name which is read."""
    home.put(mail(("a.txt", "text/plain", b"one"), ("a.txt", "text/plain", b"other")))
    for name, line in (
        ("b.txt", "read_attachment: the mail has no attachment of this name; its field attachments names them"),
        ("a.txt", "read_attachment: the mail has several attachments of this name, so none is read"),
    ):
        with pytest.raises(ToolError) as caught:
            read(home, name)
        assert str(caught.value) == line


def test_a_broken_attachment_ends_in_one_line(home: Any) -> None:
    """Which says nothing of what stands in it."""
    home.put(mail(("invoice.pdf", "application/pdf", b"%PDF-1.4\n%%EOF\n")))
    with pytest.raises(ToolError) as caught:
        read(home, "invoice.pdf")
    assert str(caught.value) == "invoice.pdf: it cannot be read as PDF: it is damaged or cut off"


def test_the_mailbox_is_free_while_a_document_is_read(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document may take seconds; other calls of the mail tools do not wait for it."""
    begun, may_end = threading.Event(), threading.Event()
    reading = attachments.read_document

    def slow(*given: Any) -> Any:
        begun.set()
        assert may_end.wait(20)
        return reading(*given)

    monkeypatch.setattr(attachments, "read_document", slow)
    home.put(mail(("a.txt", "text/plain", b"one")))
    email = {"id": home.one()["id"]}
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(home.call("read_attachment", email=email, filename="a.txt")))
    thread.start()
    assert begun.wait(20)
    other = threading.Thread(target=lambda: found.append(home.subjects("search_emails")))
    other.start()
    other.join(20)
    assert found == [["Contract"]]
    may_end.set()
    thread.join(20)
    assert len(found) == 2
