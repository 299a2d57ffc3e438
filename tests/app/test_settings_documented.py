"""Every setting that the loader asks for stands in docs/configuration.md, or on the page that it names for the rest of a table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from armslength.app.settings import settings_in
from armslength.app.table import Table

ROOT = Path(__file__).parents[2]
PLACE = {"environment": "X"}
CONFIG: dict[str, Any] = {
    "user": {"addresses": ["ada@example.com"]},
    "mail": {
        "one": {"imap": {"host": "imap.example.com", "password": PLACE}, "smtp": {"host": "smtp.example.com"}},
        "two": {"path": "Mail", "oauth": {"provider": "microsoft", "client_id": "x"}},
    },
    "calendar": {"one": {"url": "https://dav.example.com/"}},
    "contacts": {"one": {"url": "https://dav.example.com/"}},
    "web": {"services": {"docs.example.com": {"shared": True}}, "search": {"kind": "searxng", "url": "https://s.example/", "tells": []}},
    "mcp": {"notes": {"command": "x", "tools": {"look": {"changes": False}}}},
    "models": {"planner": {"provider": "openai"}},
    "schedule": {"morning": {"request": "x", "at": "07:30"}},
    "spending": {"day_tokens": 1},
}  # fmt: skip
CHOSEN = {"one", "two", "docs.example.com", "notes", "morning", "look"}
"""Names that the person chooses."""


def test_every_setting_is_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, as code."""
    asked = set[str]()
    get = Table._get

    def noted(table: Table, name: str, kind: type, default: Any) -> Any:
        asked.add(name)
        return get(table, name, kind, default)

    monkeypatch.setattr(Table, "_get", noted)
    settings_in(tmp_path / "config.toml", CONFIG)
    pages = ("configuration", "mail", "calendar", "web", "mcp", "schedule", "documents")
    text = "\n".join((ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in pages)
    code = "\n".join(re.findall(r"`[^`\n]+`|```.*?```", text, re.DOTALL))
    assert sorted(name for name in asked - CHOSEN if not re.search(rf"\b{re.escape(name)}\b", code)) == []
    assert len(asked) > 100
