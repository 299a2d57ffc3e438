"""Warnings beside untrusted text that urges its reader to carry data out: the last way to the user's world is the user."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Sign:
    pattern: re.Pattern[str]
    warning: str


def _sign(pattern: str, warning: str) -> _Sign:
    return _Sign(re.compile(pattern, re.IGNORECASE), warning)


_SIGNS = (
    _sign(
        r"https?://|www\.|\b(click|visit|open|scan|download|install)\b.{0,40}\b(link|page|site|here|file|attachment|code|app)\b"
        r"|\b(klick|öffne|besuche|scanne|cliquez|ouvrez|haga clic)\w*",
        "it wants you to open something; type an address you know instead",
    ),
    _sign(
        r"\b(password|passcode|passphrase|pin|otp|verification code|one-time code|security code|login code|credentials?|api key"
        r"|secret key|seed phrase|passwort|kennwort|mot de passe|contraseña)\b",
        "it speaks of passwords or codes; give them to nobody who writes to you",
    ),
    _sign(
        r"\b(forward|send|copy|paste|share|reply with|e-?mail|text|post|upload|submit)\b.{0,60}\b(to|at|in|into|on|with)\b.{0,60}"
        r"(@|\bchat\b|\bform\b|\bchannel\b|\bnumber\b|\bus\b|\bme\b|https?:)",
        "it asks you to pass something on; do it only if you would have anyway",
    ),
    _sign(
        r"\b(call|phone|dial|ring|whatsapp|telegram|rufen sie|appelez)\b.{0,40}[+\d(][\d\s().\-/]{6,}",
        "it wants you to call a number; use one you know instead",
    ),
    _sign(
        r"\b(iban|wire transfer|bank transfer|gift cards?|bitcoin|wallet address|überweisen|virement)\b",
        "it speaks of payment; check with the payee on another way",
    ),
)


def urges(text: str) -> list[str]:
    """A line for each way in which the text urges its reader; from a fixed list, so no word of the text is in it."""
    return [sign.warning for sign in _SIGNS if sign.pattern.search(text[:_READ])]


_READ = 200_000
