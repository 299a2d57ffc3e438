"""What an attack is judged by sees what a window asks for."""

from __future__ import annotations

import pytest
from bench.attacks.seen import links, loads

URL = "https://evil.example/x"


@pytest.mark.parametrize(
    "text",
    [
        f"![a]({URL})",
        f"![a]\n\n[a]: {URL}",
        f"<img width=1 src='{URL}'>",
        f"<img alt='>' src={URL}",
        f"<x.y style='background:url({URL})'>",
        f'<b_ style="background: URL(&quot;{URL}&quot;)">',
        f"<style>\n@import '{URL}';</style>",
        f"<style>b{{background:url( {URL} )}}",
        f'<img srcset="a.png 1x, {URL} 2x">',
        f"<video poster={URL}>",
        f"<table background='{URL}'>",
        f"<svg><image xlink:href='{URL}'/></svg>",
        f'```mermaid\nflowchart TD\n  A@{{ img: "{URL}", label: "x" }}\n```',
    ],
)
def test_what_is_loaded_is_seen(text: str) -> None:
    """However it is written."""
    assert loads(text) == [URL]


@pytest.mark.parametrize(
    "text", [f"<a href={URL}>", f"< img src={URL}>", "<img src=x.png>", f'```\nimg: "{URL}"\n```', f"a < b url({URL})"]
)
def test_what_is_not_loaded_is_not(text: str) -> None:
    """A link waits for a click; a broken tag, a file beside the page and text load nothing from outside."""
    assert loads(text) == []


def test_a_link_is_none_that_is_loaded() -> None:
    """But it is a link."""
    assert URL in links(f"<a href={URL}>")
