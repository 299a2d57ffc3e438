"""Half of a surrogate pair is no text: whatever makes characters of numbers or of escapes fails instead."""

from __future__ import annotations

import pytest
from tests.language.world import interpreted

from armslength.errors import ProgramFailed


@pytest.mark.parametrize(
    "made",
    [
        "chr(0xD800)",
        "chr(0xDFFF)",
        "'%c' % 0xD83D",
        "f'{0xD83D:c}'",
        "'{:>3c}'.format(0xDC00)",
        "'a'.translate({97: 0xD800})",
        "json.loads('\"\\\\ud83d\"')",
        "json.loads('{\"\\\\ud83d\": 1}')",
    ],
)
def test_half_a_character_is_no_text(made: str) -> None:
    """It fails as ValueError does, so a program can take it."""
    with pytest.raises(ProgramFailed, match="half of a character is no text"):
        interpreted(f"x = {made}")
    assert interpreted(f"try:\n    x = {made}\nexcept ValueError:\n    x = 1").names["x"] == 1


def test_a_whole_pair_is_one_character() -> None:
    """JSON writes characters beyond U+FFFF as two escapes."""
    assert interpreted("x = json.loads('\"\\\\ud83d\\\\ude00\"')").names["x"] == "\U0001f600"
