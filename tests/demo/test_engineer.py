"""The engineers' quickstart is the example that runs."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_shows_the_example_as_it_is() -> None:
    """The Python block of docs/engineer.md is the file, and the file has under thirty lines."""
    code = (ROOT / "examples" / "own_tool" / "test_weather.py").read_text("utf-8")
    page = (ROOT / "docs" / "engineer.md").read_text("utf-8")
    assert page.split("```python\n")[1].split("```")[0] == code
    assert len(code.splitlines()) < 30
