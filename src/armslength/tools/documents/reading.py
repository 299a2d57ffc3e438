"""A document read: the one function through which bytes of a document become text. Nothing of them is parsed in this process."""

from __future__ import annotations

from armslength.errors import ToolError
from armslength.tools.documents.confinement import MOST_BYTES, USUAL, Confinement
from armslength.tools.documents.document import Document


def read_document(content: bytes, declared: str = "", confinement: Confinement = USUAL) -> Document:
    """The text of a document, by what its bytes are. Blocks until it is read, at most twice `confinement.seconds`.

    `declared`: a media type or a file name, others' word: it only tells kinds of plain text apart.

    Raises:
        ToolError: in one line without words of the document: it is too large, of no kind that is read, encrypted, damaged, or took too much.
    """
    if len(content) > MOST_BYTES:
        raise ToolError(f"document: it is over the limit of {MOST_BYTES:,} bytes")
    raise ToolError("document: no kind of document is read yet")
