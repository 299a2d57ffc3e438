"""The directed programs: each the smallest that shows one rule, in `directed/`, under the same laws as the random ones.

In `every/`: programs that meet the whole language, once with untrusted and once with secret operands.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
_OPERANDS = {
    "untrusted": {"NUMBER": "num(0)", "TEXT": "word(1)"},
    "secret": {"NUMBER": "secret()", "TEXT": "secret_word()"},
}


def directed() -> dict[str, str]:
    """Name and text of each, sorted by name."""
    both = {f"every_{name}_{kind}": text for kind in _OPERANDS for name, text in every(kind).items()}
    return {**_programs("directed"), **both}


def every(kind: str) -> dict[str, str]:
    """The programs that meet the whole language, with operands of this kind."""
    found = _programs("every")
    for word, tool in _OPERANDS[kind].items():
        found = {name: text.replace(word, tool) for name, text in found.items()}
    return found


def _programs(folder: str) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((_HERE / folder).glob("*.txt"))}
