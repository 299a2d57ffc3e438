"""Text on its way into a model, and how many tokens it can have at most where no tokeniser is at hand."""

from __future__ import annotations


def whole_text(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be written as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def most_tokens(text: str) -> int:
    """The bytes of the text: byte-level tokenisers never make more tokens."""
    return len(text.encode("utf-8", "replace"))
