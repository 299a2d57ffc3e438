"""Warnings beside untrusted text that urges its reader to carry data out: the last way to the user's world is the user."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

from armslength.tools.text.folding import normalized


@dataclass(frozen=True, slots=True)
class _Sign:
    """Expressions that follow each other with at most `gap` characters between. One expression alone is enough of itself."""

    chain: tuple[re.Pattern[str], ...]
    gap: int
    warning: str

    def is_in(self, text: str) -> bool:
        """In time linear in the text, whatever it repeats: nested gaps in one expression would not be."""
        ends = [found.end() for found in self.chain[0].finditer(text)]
        for following in self.chain[1:]:
            ends = [found.end() for found in following.finditer(text) if _is_near(ends, found.start(), self.gap)]
        return bool(ends)


def _is_near(ends: list[int], start: int, gap: int) -> bool:
    place = bisect_left(ends, start - gap)
    return place < len(ends) and ends[place] <= start


def _sign(warning: str, *chain: str, gap: int = 0) -> _Sign:
    return _Sign(tuple(re.compile(part) for part in chain), gap, warning)


_OPEN = "it wants you to open something; type an address you know instead"
_SIGNS = (
    _sign(_OPEN, r"https?://|www\.|\b(?:klick|öffne|besuche|scanne|cliquez|ouvrez|haga clic)\w*"),
    _sign(
        _OPEN,
        r"\b(?:click|visit|open|scan|download|install)\b",
        r"\b(?:link|page|site|here|file|attachment|code|app)\b",
        gap=40,
    ),
    _sign(
        "it speaks of passwords or codes; give them to nobody who writes to you",
        r"\b(?:password|passcode|passphrase|pin|otp|verification code|one-time code|security code|login code|credentials?|api key"
        r"|secret key|seed phrase|passwort|kennwort|mot de passe|contraseña)\b",
    ),
    _sign(
        "it asks you to pass something on; do it only if you would have anyway",
        r"\b(?:forward|send|copy|paste|share|reply with|e-?mail|text|post|upload|submit)\b",
        r"\b(?:to|at|in|into|on|with)\b",
        r"@|\b(?:chat|form|channel|number|us|me)\b|https?:",
        gap=60,
    ),
    _sign(
        "it wants you to call a number; use one you know instead",
        r"\b(?:call|phone|dial|ring|whatsapp|telegram|rufen sie|appelez)\b",
        r"[+\d(][\d\s().\-/]{6,}",
        gap=40,
    ),
    _sign(
        "it speaks of payment; check with the payee on another way",
        r"\b(?:iban|wire transfer|bank transfer|gift cards?|bitcoin|wallet address|überweisen|virement)\b",
    ),
)
WARNINGS = tuple(dict.fromkeys(sign.warning for sign in _SIGNS))
"""All that `urges` can say."""


def urges(text: str) -> list[str]:
    """A line for each way in which the text urges its reader; from a fixed list, so no word of the text is in it.

    Letters are read as they look (NFKC), in lower case; characters that hide are left out, line ends are blanks.
    """
    plain = " ".join(_readable(text).casefold().split())
    return list(dict.fromkeys(sign.warning for sign in _SIGNS if sign.is_in(plain)))


def _readable(text: str) -> str:
    if text.isascii():
        return text
    return "".join(char for char in normalized(text) if unicodedata.category(char) not in _HIDDEN)


_HIDDEN = ("Cf", "Mn", "Cn", "Co")
