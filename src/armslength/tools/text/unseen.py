"""Characters that no screen shows: what could stand in a text for a model, and for no person."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_INVISIBLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x16FE4, 0x16FE4), (0x1BCA0, 0x1BCA3),
    (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Default_Ignorable_Code_Point (UAX 44), and the blanks that fonts draw as nothing. Some are letters or marks by their category."""


@lru_cache(maxsize=4096)
def is_invisible(char: str) -> bool:
    """Whether nothing is drawn for it. Variation selectors, of which 256 can spell any bytes, are among them."""
    return any(first <= ord(char) <= last for first, last in _INVISIBLE)


def is_unseen(char: str) -> bool:
    """Whether it is invisible, or acts instead of being shown (a control but for line ends and tabs), or nobody assigned it."""
    return is_invisible(char) or (unicodedata.category(char)[0] == "C" and char not in "\n\r\t")
