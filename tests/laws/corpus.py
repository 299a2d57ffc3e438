"""The directed programs: each the smallest that shows one rule, in `directed/`, under the same laws as the random ones."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "directed"


def directed() -> dict[str, str]:
    """Name and text of each, sorted by name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.txt"))}
