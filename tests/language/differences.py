"""Where an operation ends otherwise than in Python, each with the reason and its row of the list in docs/language.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.language.beside import Difference


@dataclass(frozen=True)
class Known:
    """A difference: in the questions of these names, where the expression has the pattern `where`."""

    names: frozenset[str]
    where: str
    row: str
    why: str
    raised: str = ""
    """Of the exceptions, ours and then Python's, where both fail."""

    def explains(self, name: str, found: Difference) -> bool:
        """Whether it speaks of what was found."""
        exceptions = f"{found.ours} {found.theirs}" if found.both_failed else ""
        return (
            name in self.names
            and re.search(self.where, found.expression) is not None
            and re.fullmatch(self.raised, exceptions) is not None
        )


def _known(names: str, where: str, row: str, why: str, raised: str = "") -> Known:
    return Known(frozenset(names.split(", ")), where, row, why, raised)


_START = r"(^|[\[( {:])"
_FUNCTION = rf"{_START}(len\b(?!\()|str\.upper|\[\]\.append|lambda)"
_NO_KEY = rf"{_FUNCTION}|{_START}(iter\(|raised\(\)|re\.search)"
_SHOWN = rf"{_FUNCTION}|{_START}iter\("
_TEXT_MEMBER = r"Word\.AB|Tone\.AB"
_HUGE = r"10\*\*40"
_NO_KEYS = "a function, an iterator, an exception or a match is no key"

NARROWER = (
    _known(
        ".append, .extend, .insert, .pop, .reverse, .sort, .clear, store, delete",
        r"mails\(\)", "tool results", "what a tool returned does not change",
    ),
    _known(".get, .setdefault, .pop, .add, .discard, dict., set., in, not in, store", _NO_KEY, "keys", _NO_KEYS),
    _known(".translate, str.", r"translate\(", "second arguments", "translate takes a dict"),
    _known(".pop", r"^\{\}\.", "keys", "also an empty dict looks at the key"),
    _known("iter", r", ", "second arguments", "iter takes one argument"),
    _known(".astimezone, .timestamp", r"datetime\(", "dates", "the machine's time zone is not read"),
    _known("f-string", r"(date|time)\(.*:%}", "dates", "a lone % is no format of a date"),
    _known(".strftime", r"%s", "dates", "%s is no format: it reads the machine's time zone"),
    _known(".groups, .groupdict", r"re\.search", "`re`", "what stands for a group that took no part is plain data"),
    _known("re.", r"compile\(.*Level\.LOW", "`re`", "the flag 1 is none"),
    _known("math.", r"prod\(", "`json`, `math`", "prod takes numbers"),
    _known("**", r"-3\b.*1\.5", "numbers", "there are no complex numbers"),
)  # fmt: skip
"""Where Python has a result and the language has none."""
WIDER = (
    _known("*", _HUGE, "very large counts", "nothing times any number is nothing"),
    _known(".insert", _HUGE, "very large counts", "a place beyond every end is the end"),
    _known("sorted, .sort", rf"reverse={_HUGE}", "very large counts", "any whole number says reverse="),
    _known("re.", rf"split\(.*{_HUGE}", "very large counts", "so many splits are all"),
    _known("json.", r"mails\(\)|Note\(", "`json`, `math`", "records are written as objects"),
)
"""Where the language has a result and Python has none."""
DIFFERENT = (
    _known("f-string", r"Word\.AB:", "enumerations", "Python leaves a member in place of its text"),
    _known("str, repr, ascii, format, .format, %, f-string", _SHOWN, "functions", "shown without an address"),
    _known(
        ".format, .format_map, %, .split, .rsplit, .partition, .rpartition, str.",
        _TEXT_MEMBER, "enumerations", "what is made of a member is plain text",
    ),
    _known("re.", rf"compile\(({_TEXT_MEMBER})", "enumerations", "what is made of a member is plain text"),
    _known("is, is not", rf"^({_HUGE}|date|datetime|time|timedelta)\b", "`is`", "equal scalars are the same"),
    _known("is, is not", r"^\(", "`is`", "equal tuples need not be the same"),
    _known(".pop, set.", r"^(\{1, 2\}\.pop|set\.pop)\(", "order of a set", "pop takes the member that was added last"),
    _known("+, *", r"mails\(\) .=", "tool results", "+= and *= make a new list"),
    _known(
        ".issuperset, .isdisjoint",
        r"iter\(", "generator expressions, `map filter zip enumerate reversed`", "an iterator is used up also where its beginning decides",
    ),
)  # fmt: skip
"""Where both have a result, or leave their operands, but not the same."""
ANOTHER_EXCEPTION = (
    _known(
        ".ljust, .rjust, .center, .expandtabs, .split, .rsplit, .splitlines, .replace, .insert, .pop, .sort, str., list., **, *, pow, chr, f-string, math., re.",
        rf"{_HUGE}|:c}}", "exceptions", "what is too large is no OverflowError", r"\w+ OverflowError",
    ),
    _known("store, delete", rf"\[{_HUGE}\]", "exceptions", "that it cannot be changed comes first", "TypeError IndexError"),
    _known(
        "format, f-string", "", "exceptions", "what takes no format is a ValueError", "ValueError TypeError",
    ),
    _known(
        ".pop, .remove, store, delete",
        r"mails\(\)", "tool results", "that it does not change comes first", "TypeError (IndexError|ValueError)",
    ),
    _known(".pop, .remove, dict., set., item, delete", _NO_KEY, "keys", _NO_KEYS, "TypeError KeyError"),
    _known(".pop", r"^(\{\}|dict\.pop\(\{\})", "keys", "also an empty dict looks at the key", "TypeError KeyError"),
    _known("item", r"Note\(", "records", "a record is read by the names of its fields", "KeyError TypeError"),
    _known("slice", r"re\.search", "`re`", "a match has groups, and no slices", "TypeError IndexError"),
    _known(".utcoffset, .tzname", r"timezone", "dates", "a time zone has no methods", "AttributeError TypeError"),
)  # fmt: skip
"""Where neither has a result, and the exceptions are of different kinds."""
TO_MEND: tuple[Known, ...] = ()
"""Mistakes of the language that wait; no page excuses them."""
TABLES = (NARROWER, WIDER, DIFFERENT, ANOTHER_EXCEPTION, TO_MEND)


def known_of(found: Difference) -> Sequence[Known]:
    """The list in which it must stand."""
    if found.both_failed:
        return ANOTHER_EXCEPTION
    return NARROWER if found.we_failed else WIDER if found.they_failed else DIFFERENT
