"""The table `[documents]`: what it says reaches whatever reads a document."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from armslength.app import load_settings, tools_of
from armslength.errors import ConfigError
from armslength.labels import LITERAL
from armslength.tools import notes
from armslength.tools.base import ToolCall
from armslength.tools.documents.confinement import USUAL, Confinement
from armslength.tools.documents.document import Document
from armslength.tools.mail import attachments

SAID = '[documents]\nwithout_sandbox = "read"\nmegabytes = 300\ntimeout = 7\n'
CONFINED = Confinement("read", 300_000_000, 7)


def configured(tmp_path: Path, text: str) -> Path:
    """A file that says this."""
    file = tmp_path / "config.toml"
    file.write_text(text, "utf-8")
    return file


def test_the_table_says_how_documents_are_read(tmp_path: Path) -> None:
    """Without it nothing is read where nothing confines the reader."""
    assert load_settings(configured(tmp_path, SAID)).documents == CONFINED
    assert load_settings(configured(tmp_path, "")).documents == USUAL
    assert USUAL.without == "refuse"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('without_sandbox = "yes"', "documents.without_sandbox must be one of refuse, read"),
        ("megabytes = 64", "documents.megabytes must be a whole number from 256 to 8192"),
        ("timeout = 0", "documents.timeout must be a whole number from 1 to 600"),
        ("sandbox = false", "documents.sandbox is not a setting; there are: megabytes, timeout, without_sandbox"),
    ],
)
def test_what_it_must_be_is_said(tmp_path: Path, line: str, wanted: str) -> None:
    """By the name of the setting."""
    with pytest.raises(ConfigError) as caught:
        load_settings(configured(tmp_path, f"[documents]\n{line}\n"))
    assert str(caught.value).endswith(wanted)


def test_what_it_says_reaches_the_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of files and those of mail."""
    for name in ("Mail/cur", "Mail/new", "Mail/tmp", "Notes"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "Notes" / "a.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "Mail" / "new" / "1.x").write_bytes(
        b"From: a@example.com\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment; filename=a.txt\n\nx\n"
    )
    places = (
        'state = "state"\n[user]\naddresses = ["ada@example.com"]\n[mail]\npath = "Mail"\n[files]\npath = "Notes"\n'
    )
    tools = {each.name: each for each in tools_of(load_settings(configured(tmp_path, places + SAID)))}
    heard: list[Confinement] = []

    def listening(_content: bytes, _declared: str, confinement: Confinement, _name: str) -> Document:
        heard.append(confinement)
        return Document("text", ())

    monkeypatch.setattr(notes, "read_document", listening)
    monkeypatch.setattr(attachments, "read_document", listening)
    call = ToolCall({"filename": LITERAL}, datetime(2026, 11, 30, tzinfo=UTC))
    tools["read_file"].run(call, {"filename": "a.pdf"})
    (mail,) = tools["search_emails"].run(call, {}).plain()
    tools["read_attachment"].run(call, {"email": {"id": mail["id"]}, "filename": "a.txt"})
    assert heard == [CONFINED, CONFINED]
