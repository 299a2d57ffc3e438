"""Attacks on time: text that takes a machine, not a person, for ever to read."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SIZE = 1_000_000
_GUARD = 60.0
_READING = """
import sys
from armslength.agent.showing.cleaning import inert_links
from armslength.agent.quarantined.fence import break_up
from armslength.agent.showing.urging import urges
shape = sys.argv[1].encode().decode("unicode_escape")
text = shape * (int(sys.argv[2]) // len(shape))
broken = inert_links(text)
assert len(broken) >= len(text)
break_up(text)
urges(text)
"""
SHAPES = {
    "schemes after hyphens": "x-",
    "letters after a scheme": "ms-ax-a",
    "blanks before a role": " \\t",
    "a role and no colon": "\\nsystem ",
    "the beginning of a number to call": "call +1 ",
    "something to pass on, nowhere": "send to ",
    "marks in the wrong order": "\\u0301\\u0316",
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_a_flood_is_read_in_linear_time(shape: str) -> None:
    """A megabyte of one nasty piece: what takes quadratic time does not end before the guard, what is linear ends in a second or two."""
    subprocess.run([sys.executable, "-c", _READING, shape, str(_SIZE)], check=True, timeout=_GUARD)


_FORMS = """
import sys
from armslength.agent.quarantined.answer import Misfit, parse_answer
from armslength.schema import STR
from armslength.tools.calendar.ics import read_entries
from armslength.tools.contacts.vcard import read_cards
size = int(sys.argv[2])
lines, folds = "\\n" * size, "\\n " * (size // 2)
match sys.argv[1]:
    case "an invitation of blank lines":
        head = "BEGIN:VCALENDAR\\nVERSION:2.0\\nPRODID:x\\nBEGIN:VEVENT\\nUID:a\\nDTSTAMP:20261101T000000Z\\nDTSTART:20261202T120000\\n"
        read_entries("a.ics", f"{head}{lines}SUMMARY:x\\nEND:VEVENT\\nEND:VCALENDAR\\n".encode())
    case "an answer of line ends":
        for text in (f"```{lines}x", f"```json{lines}{lines}", lines + "```"):
            try:
                parse_answer(text, STR)
            except Misfit:
                pass
    case "a card that goes on and on":
        assert [card.name for card in read_cards(f"BEGIN:VCARD\\nFN:x\\nNOTE:{'a' * size}{folds}\\nEND:VCARD\\n".encode())] == ["x"]
    case "a card in Punycode":
        quoted = f"FN;ENCODING=QUOTED-PRINTABLE;CHARSET=PUNYCODE:{'a' * 100}-{'99b' * size}"
        read_cards(f"BEGIN:VCARD\\n{quoted}\\nEND:VCARD\\n".encode())
"""


@pytest.mark.parametrize(
    "form",
    ["an invitation of blank lines", "an answer of line ends", "a card that goes on and on", "a card in Punycode"],
)
def test_what_others_send_is_taken_apart_in_linear_time(form: str) -> None:
    """A megabyte of an invitation, of a model's answer or of a card ends within the guard; each took the square, or the cube."""
    subprocess.run([sys.executable, "-c", _FORMS, form, str(_SIZE)], check=True, timeout=_GUARD)
