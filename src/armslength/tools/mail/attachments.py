"""Attachments read: which of a message is meant, its bytes, and the record of the document that they are.

All of the record is the word of whoever wrote the message: the bytes, what they are called, and how many pages they have.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import ModuleType

from armslength.errors import ToolError
from armslength.labels import Label
from armslength.schema import STR, Origin, Parameter, Signature
from armslength.tools.annotations import label_plain, record_type
from armslength.tools.base import Role, Tool, ToolCall, nobody, version_of
from armslength.tools.documents import confinement as confining
from armslength.tools.documents import document as documents
from armslength.tools.documents import kinds, reading, wire
from armslength.tools.documents.confinement import AT_ONCE, Confinement
from armslength.tools.documents.document import Document
from armslength.tools.documents.reading import read_document
from armslength.tools.mail import labels, message
from armslength.tools.mail.headers import decode_base64
from armslength.tools.mail.labels import EMAIL, FAILS_BY, usual_mail
from armslength.tools.mail.message import Attachment, attachments_in
from armslength.tools.mail.work import Args, MailWork
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain


@dataclass(frozen=True, slots=True, repr=False)
class AttachedPage:
    """A page as programs see it; `number` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class AttachedDocument:
    """A document as programs see it. `notes`: what was cut, is hidden, or acts and was not carried out."""

    filename: str
    kind: str
    pages: list[AttachedPage]
    notes: list[str]


DOCUMENT = record_type(AttachedDocument)


def reading_attachments(mail: MailWork, alone: AbstractContextManager[object], confinement: Confinement) -> Tool:
    """The tool over the attachments of one mail. It holds `alone` while it looks into the mailbox, and not while a document is read."""
    signature = Signature(
        "read_attachment",
        (Parameter("email", EMAIL), Parameter("filename", STR)),
        DOCUMENT,
        "the text of an attached PDF, DOCX, HTML, CSV or text file, page by page; filename is one of the email's attachments",
        origin=Origin("mail"),
    )

    def run(_call: ToolCall, args: Args) -> Labelled:
        with alone:
            raw, content_label = mail.bytes_of(args)
        name = str(args["filename"])
        attachment = attachment_named(attachments_in(raw), name)
        found = read_document(content_of(raw, attachment), declared_of(attachment), confinement, name)
        return _record(name, found, content_label)

    return Tool(
        signature=signature,
        run=run,
        roles={"email": Role.TARGET, "filename": Role.QUERY},
        reads="mail",
        changes=None,
        receivers=nobody,
        undo=None,
        picks=True,
        version=version_of(signature, *_CODE),
        handles=frozenset({"email"}),
        at_once=AT_ONCE,
        usually=_usually,
        fails_by=FAILS_BY,
    )


_CODE: tuple[ModuleType, ...] = (labels, message, confining, documents, kinds, reading, wire)


def attachment_named(attachments: tuple[Attachment, ...], name: str) -> Attachment:
    """The one of that very name.

    Raises:
        ToolError: there is none, or several, so that a name does not say which.
    """
    found = [each for each in attachments if each.name == name]
    if not found:
        raise ToolError("read_attachment: the mail has no attachment of this name; its field attachments names them")
    if len(found) > 1:
        raise ToolError("read_attachment: the mail has several attachments of this name, so none is read")
    return found[0]


def content_of(raw: bytes, attachment: Attachment) -> bytes:
    """The bytes of an attachment, decoded as far as they go (RFC 2045, 6)."""
    start, end = attachment.span
    match attachment.encoding:
        case "base64":
            return decode_base64(raw[start:end])[0]
        case "quoted-printable":
            return binascii.a2b_qp(raw[start:end])
        case _:
            return raw[start:end]


def declared_of(attachment: Attachment) -> str:
    """What it is said to be: its media type where that says which text, else what its name says; and its character set."""
    is_said = attachment.mime.startswith("text/") and attachment.mime != "text/plain"
    said = attachment.mime if is_said or not attachment.name else attachment.name.replace(";", " ")
    return f"{said}; charset={attachment.charset}" if attachment.charset else said


def _record(name: str, found: Document, one_label: Label) -> Labelled:
    pages = [AttachedPage(page.number, page.text) for page in found.pages]
    return label_plain(AttachedDocument(name, found.kind, pages, list(found.notes)), DOCUMENT, one_label)


def _usually(_args: Mapping[str, Plain], where: str) -> Usual:
    """What stands in it is its sender's, who is verified in most mails."""
    content = usual_mail(where, None).fields["body"]
    return Usual(content, dict.fromkeys((each.name for each in DOCUMENT.fields), content))
