"""Text from outside made safe to print on a terminal and in a page.

What a screen would not show as it is (controls, bidi, tags, invisible characters) is replaced by a visible mark such as
`⟨U+202E⟩`, so that nothing is lost and nothing acts. Sources: UAX 9, UAX 44 (Default_Ignorable), UTS 39, UTS 51.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from armslength.tools.text.folding import normalized
from armslength.tools.text.unseen import is_invisible

_PICTOGRAPHS = (
    (0xA9, 0xA9), (0xAE, 0xAE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
    (0x2190, 0x21FF), (0x2300, 0x23FF), (0x24C2, 0x24C2), (0x25AA, 0x25FE), (0x2600, 0x27BF), (0x2900, 0x297F),
    (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B55), (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297),
    (0x3299, 0x3299), (0x1F000, 0x1F3FA), (0x1F400, 0x1FAFF),
)  # fmt: skip
_MOST_MARKS = 4  # combining marks on one base; real scripts stay below, stacked ones reach into other lines
_DOTTED_CIRCLE = "\u25cc"  # the base that Unicode recommends for a mark that has none


def _ranges(ranges: tuple[tuple[int, int], ...]) -> str:
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


_BASE = f"[{_ranges(_PICTOGRAPHS)}]"
_STYLE = "[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]"
_FLAG_TAGS = "|".join("".join(chr(0xE0000 + ord(c)) for c in region) for region in ("gbeng", "gbsct", "gbwls"))
_EMOJI = re.compile(f"\U0001f3f4(?:{_FLAG_TAGS})\U000e007f|{_BASE}{_STYLE}?(?:\u200d{_BASE}{_STYLE}?){{0,8}}")
_KEYCAP = re.compile("\ufe0f?\u20e3")
_LETTERS = "¡-¨ª-¬¯-ʯΣ-ϿЀ-҂Ҋ-ԯぁ-ゖァ-ヺ一-鿿가-힣"  # assigned, visible, base of no emoji: not looked at one by one
_NOT_PLAIN = re.compile(rf"[^\n -~{_LETTERS}]+")


def clean(text: str) -> str:
    """The text with everything that acts or hides replaced by visible marks; lines stay lines.

    Tabs and other spaces become spaces, CR LF becomes one newline. Emoji sequences and up to four combining marks on a
    base stay. Idempotent; printable ASCII is returned as it is.
    """
    return _NOT_PLAIN.sub(_clean_run, text.replace("\r\n", "\n"))


def clean_line(text: str) -> str:
    """Like `clean`, with each newline shown as `⏎`: always one line."""
    return clean(text).replace("\n", "⏎")


def _clean_run(run: re.Match[str]) -> str:
    before = run.string[run.start() - 1] if run.start() else "\n"
    text, pieces, at, marks = run.group(), list[str](), 0, 0
    if before in "0123456789#*" and (keycap := _KEYCAP.match(text)):
        pieces.append(keycap.group())
        at = keycap.end()
    while at < len(text):
        if emoji := _EMOJI.match(text, at):
            pieces.append(emoji.group())
            at, marks = emoji.end(), 0
            continue
        char = text[at]
        if unicodedata.category(char) in ("Mn", "Me") and not is_invisible(char):
            last = pieces[-1][-1] if pieces else before
            bare = _DOTTED_CIRCLE if marks == 0 and last in "\n \u27e9" else ""
            pieces.append(bare + char if marks < _MOST_MARKS else _mark(char))
            marks += 1
        elif char in "\u200c\u200d" and pieces and _joins(pieces[-1], char, text[at + 1 : at + 2]):
            pieces.append(char)
            marks = 0
        else:
            pieces.append(_shown(char))
            marks = 0
        at += 1
    return _counted(pieces)


def _counted(pieces: list[str]) -> str:
    """Runs of one mark as `⟨U+200B×40⟩`."""
    shown = []
    for piece, same in groupby(pieces):
        count = sum(1 for _ in same)
        is_mark = len(piece) > 1 and piece.startswith("\u27e8U+")
        shown.append(f"{piece[:-1]}×{count}\u27e9" if is_mark and count > 1 else piece * count)
    return "".join(shown)


def _mark(char: str) -> str:
    return f"\u27e8U+{ord(char):04X}\u27e9"


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    """One character that belongs to no sequence: as it is only if its category is visible, else a mark."""
    if char == "\t":
        return "    "
    if is_invisible(char):
        return _mark(char)
    match unicodedata.category(char)[0]:
        case "L" | "M" | "N" | "P" | "S":
            return char
        case "Z":
            return " "
        case _:
            return _mark(char)


def _joins(before: str, joiner: str, after: str) -> bool:
    """Whether a joiner is spelling, not hiding: after a virama, or (ZWNJ) between Arabic letters. RFC 5892, A.1, A.2."""
    if len(before) != 1 or not after or unicodedata.category(after)[0] not in "LM" or is_invisible(after):
        return False
    if unicodedata.combining(before) == 9:
        return True
    return joiner == "\u200c" and all(unicodedata.name(c, "").startswith("ARABIC LETTER") for c in (before, after))


_SCHEMES = (
    "mailto|tel|sms|callto|javascript|vbscript|data|file|blob|about|cid|mid|sip|sips|xmpp|im|skype|facetime|magnet|geo|"
    "bitcoin|ethereum|webcal|steam|zoommtg|msteams|slack|tg|whatsapp|intent|market|itms|ms-[a-z]+|view-source"
)
# `x-…` is taken whole where no colon follows either: read again from each of its hyphens it would take quadratic time.
_SCHEME = re.compile(rf"(?i)(?<![a-z0-9])(?:(?:{_SCHEMES}):(?=\S)|x-[a-z-]+(?::(?=\S))?)")
_WWW = re.compile(r"(?i)(?<![a-z0-9])(www\d{0,3})\.(?=\S)")
# Where HTML opens a tag or a comment (WHATWG HTML, 13.2.5.6): the name goes on to a blank, `/` or `>`, whatever stands in it. An address
# of mail up to its `>` is the name of no element and has no attributes.
_TAG = re.compile(r"<(?=[!?/a-zA-Z])(?![\w.%+-]{1,64}@[\w.-]{1,255}>)")


def inert_links(text: str) -> str:
    """The text with addresses that a terminal or a page would make live broken visibly: `https[:]//x`, `www[.]x`.

    Also `mailto[:]` and its like, Markdown links, images and what they name (`] (`, `! [`, `] :`), and tags (`< img`): an address
    needs no scheme there; `Julia <julia@example.com>` stays. Idempotent. For the screen only: what is sent or stored keeps its bytes.
    """
    text = _WWW.sub(r"\1[.]", _SCHEME.sub(_inert_scheme, text.replace("://", "[:]//")))
    return _TAG.sub("< ", text).replace("](", "] (").replace("![", "! [").replace("]:", "] :")


def _inert_scheme(found: re.Match[str]) -> str:
    return f"{found[0][:-1]}[:]" if found[0].endswith(":") else found[0]


# Letters that look like ASCII letters (after UTS 39, confusables.txt; only what is common in addresses).
_CONFUSABLE = str.maketrans(
    "аеорсухіјѕԁһкмтвнԛԝгԍӏοανρτυικχеıɡɑℓ\u0131օոսցհ",
    "aeopcyxijsdhkmtbhqwrgloavptuikxeigal" + "ionugh",
)
_SHAPES = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("0", "o"), ("1", "l"), ("|", "l"), ("5", "s"))
_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)  # "highly restrictive", UTS 39 section 5.2


def lookalike(address: str, known: Iterable[str] = ()) -> str | None:
    """One line on how an address or host name may mislead, or None: other scripts, hidden characters, punycode.

    `known`: addresses or hosts that the person deals with; one that looks the same, or is put in front of another
    domain, is named. Source: UTS 39.
    """
    local, at, host = address.rpartition("@")
    shown = clean_line(address)
    if shown != address or any(char.isspace() for char in address):
        return f"{shown} holds characters that are not what they seem"
    if "@" in local:
        return f"{shown} holds more than one @; the part after the last one counts"
    for label in host.split("."):
        if label[:4].lower() == "xn--":
            return f"{shown}: {label} stands for “{_from_punycode(label)}”"
    if not address.isascii():
        return _other_letters(shown, local, at, host)
    return _near(shown, known)


def _other_letters(shown: str, local: str, at: str, host: str) -> str:
    twin = _looks_like(local) + at + _looks_like(host)
    if twin.isascii():
        return f"{shown} looks like {twin} but is written with other letters"
    for label in (local, *host.split(".")):
        scripts = {_script(char) for char in label if char.isalpha()}
        if is_of_several_scripts(label):
            return f"{shown} mixes {' and '.join(sorted(s.capitalize() for s in scripts))} letters"
    return f"{shown} has letters outside ASCII; compare it letter by letter"


def is_of_several_scripts(word: str) -> bool:
    """Whether a word has letters of scripts that no language writes together. Source: UTS 39, section 5.2."""
    scripts = {_script(char) for char in word if char.isalpha()}
    return len(scripts) > 1 and not any(scripts <= allowed for allowed in _TOGETHER)


def _near(shown: str, known: Iterable[str]) -> str | None:
    shape, host = _shape(shown), shown.rpartition("@")[2].lower()
    for one in known:
        other = one.rpartition("@")[2].lower()
        if shown.lower() != one.lower() and (shape == _shape(one) or (host != other and _shape(host) == _shape(other))):
            return f"{shown} looks like {clean_line(one)} but is another address"
        if other and host.startswith((other + ".", other + "-")):
            return f"{shown} begins with {clean_line(other)} but belongs to another domain"
        if shown.lower() != one.lower() and _has_close_host(shown, one):
            return f"{shown} looks like {clean_line(one)} but is another address"
    return None


def bears_name(called: str, name: str) -> bool:
    """Whether a name that somebody gives himself holds another's, read as they look: letters of other scripts, what hides or stands between.

    A name of one word is held by itself alone.
    """
    words, others = _name_words(called), _name_words(name)
    return bool(others) and (
        set(words) == set(others)
        or (len(others) > 1 and set(others) <= set(words))
        or "".join(words) == "".join(others)
    )


def _name_words(name: str) -> list[str]:
    plain = "".join(unicodedata.normalize("NFKD", char) for char in normalized(name))
    visible = "".join(char for char in plain if unicodedata.category(char) != "Mn" and not is_invisible(char))
    return re.findall(r"[^\W_]+", _shape(visible))


def _has_close_host(address: str, known: str) -> bool:
    (local, _, host), (other_local, _, other) = (_shape(each).rpartition("@") for each in (address, known))
    return local == other_local != "" and _is_close(host, other)


def _is_close(host: str, other: str) -> bool:
    """Whether one letter is another, is missing or is one too many, two are exchanged, or only the last part of the name is another."""
    if host.rpartition(".")[0] == other.rpartition(".")[0]:
        return True
    short, long = sorted((host, other), key=len)
    if len(short) < _SHORTEST or len(long) - len(short) > 1:
        return False
    same = next((at for at, (one, two) in enumerate(zip(short, long, strict=False)) if one != two), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    is_exchanged = short[same : same + 2] == long[same : same + 2][::-1] and short[same + 2 :] == long[same + 2 :]
    return short[same + 1 :] == long[same + 1 :] or is_exchanged


_SHORTEST = 6
"""Characters of a host below which one letter more or less is no likeness."""


def _looks_like(text: str) -> str:
    return normalized(text).casefold().translate(_CONFUSABLE)


def _shape(text: str) -> str:
    shape = _looks_like(text)
    for seen, meant in _SHAPES:
        shape = shape.replace(seen, meant)
    return shape


def _script(char: str) -> str:
    return unicodedata.name(char, "UNKNOWN").partition(" ")[0]


def _from_punycode(label: str) -> str:
    try:
        return clean_line(label[4:].encode("ascii").decode("punycode")) if len(label) <= 63 else "nothing readable"
    except (UnicodeError, ValueError, OverflowError):
        return "nothing readable"
