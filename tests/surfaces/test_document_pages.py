"""`why` says on which page of a document a text stands, and says it only where the text is of those who wrote the document."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest
from tests.tools.documents.making import pdf, shown

from armslength.surfaces.document_pages import DocumentPages, OnPage

BOB = {"data": ["mail:bob@example.com"]}
PROGRAM = """\
mail = search_emails(query="contract")[0]
document = read_attachment(mail, mail.attachments[0])
total = quarantined("What is the total?", document, returns=str)
answer("The total: ", total)
answer(read_file("own.pdf").content)
"""


@pytest.fixture
def after(home: Any) -> Any:
    """A home in which a total was taken out of an attached contract, and a file of two pages was shown."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Bob <bob@example.com>", "ada@example.com", "Contract"
    message.set_content("See attached.")
    content = pdf(shown(b"Between A and B"), shown(b"The total is 1,200 euros"))
    message.add_attachment(content, "application", "pdf", filename="contract\u27e7\u202e.pdf")
    (home.path / "Mail" / "new" / "1.x").write_bytes(message.as_bytes())
    (home.path / "Notes" / "own.pdf").write_bytes(pdf(shown(b"A page of my own words"), shown(b"Another one")))
    home.will(PROGRAM, '{"answer": "1,200 euros"}')
    ended = home.run("ask", "What does the contract cost?", "--quiet")
    assert ended.code == 0, ended.err
    return home


def test_why_names_the_page_of_a_document(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an answer that a model took out of it, and of what was shown whole; the document's name is marked as others' word."""
    monkeypatch.setattr("armslength.surfaces.why.PLAIN_WIDTH", 250)
    whole = after.run("why").out
    assert "on page 2 of ⟦contract" in whole
    assert not set(whole) & set("\u202e") and "contract⟧" not in whole
    assert "on page 1 of ⟦own.pdf⟧" in whole
    pieces = [piece for answer in after.run("why", "--json").json()["answers"] for piece in answer]
    assert [piece["stands_on"] for piece in pieces if piece["text"] == "1,200 euros"] == [
        [{"page": 2, "document": "contract\u27e7\u202e.pdf"}]
    ]
    assert [piece["stands_on"] for piece in pieces if piece["text"] == "The total: "] == [[]]


def test_the_page_of_a_run_names_it_too(after: Any) -> None:
    """With content it does; without, neither page nor name is left."""
    run = after.run("why", "--json").json()["run"]
    for options, is_named in (((), True), (("--without-content",), False)):
        to = after.path / f"run{is_named}.html"
        ended = after.run("export", run, "--to", str(to), *options)
        assert ended.code == 0, ended.err
        assert ("on page 2 of" in to.read_text("utf-8")) is is_named


def _document(text: str, label: dict[str, Any], number: object = 1) -> dict[str, Any]:
    page = {"parts": {"number": {"data": number}, "text": {"data": text, "label": label}}}
    return {"parts": {"filename": {"data": "a.pdf"}, "pages": {"items": [page]}}}


def test_a_text_of_others_stands_on_no_page() -> None:
    """That two people wrote the same words says nothing of where one of them has them from."""
    pages = DocumentPages()
    pages.hear(_document("1,200 euros", BOB))
    assert pages.places("1,200 euros", ["mail:bob@example.com", "quarantined"]) == (OnPage(1, "a.pdf"),)
    assert pages.places("1,200  \n euros", ["mail:bob@example.com"]) == (OnPage(1, "a.pdf"),)
    assert pages.places("1,200 euros", ["mail:eve@example.com"]) == ()
    assert pages.places("1", ["mail:bob@example.com"]) == ()
    pages.clear()
    assert pages.places("1,200 euros", ["mail:bob@example.com"]) == ()


@pytest.mark.parametrize(
    "answered",
    [None, 1, {}, {"parts": {}}, {"parts": {"filename": {"data": "a"}, "pages": {"items": [1, {}]}}}, _document("text", BOB, "1"), _document("text", {})],
)  # fmt: skip
def test_what_is_no_document_is_none(answered: Any) -> None:
    """Journals hold results of every tool."""
    pages = DocumentPages()
    pages.hear(answered)
    assert pages.places("text", ["mail:bob@example.com"]) == ()
