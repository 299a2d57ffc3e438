"""From the text of a regular expression to its parts: Python's syntax, read by our own parser.

What is read is what `re` of Python reads, but for what `_Reader` refuses with a reason. Classes of characters are kept as text that
Python's own `re` understands, so that case and Unicode mean what they mean there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from armslength.language.operations.library.pattern_nodes import (
    ANY,
    ASCII,
    DOTALL,
    FLAGS,
    IGNORECASE,
    LARGEST,
    MULTILINE,
    NOT_NEWLINE,
    UNICODE,
    VERBOSE,
    Atomic,
    Back,
    Choice,
    Edge,
    Group,
    Look,
    Node,
    One,
    Pattern,
    Repeat,
    Sequence,
    Text,
    character,
    width,
)

MAX_PATTERN = 5_000
"""Characters of a pattern."""
MAX_NESTING = 30
"""Groups within groups."""
_KEPT = IGNORECASE | ASCII
_WIDEST_CLASS = 16_384


class _Bad(Exception):
    """A pattern that is not read; its text is the reason."""


def read_pattern(pattern: str, flags: int) -> Pattern | str:
    """The parts of a pattern, or the reason why it is refused. The reason holds nothing of the pattern."""
    if len(pattern) > MAX_PATTERN:
        return f"a pattern has at most {MAX_PATTERN:,} characters"
    if flags & ~FLAGS:
        return "the flags are IGNORECASE, MULTILINE, DOTALL, VERBOSE, ASCII and UNICODE"
    reader = _Reader(pattern, flags)
    try:
        return reader.read()
    except _Bad as bad:
        return str(bad)


_CONTROL = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS, _OCTAL = frozenset("0123456789"), frozenset("01234567")
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_SPACE = frozenset(" \t\n\r\v\f")
_COUNT = re.compile(r"\{([0-9]*)(,?)([0-9]*)\}")
_FLAG_LETTERS = {"i": IGNORECASE, "m": MULTILINE, "s": DOTALL, "x": VERBOSE, "a": ASCII, "u": UNICODE}


@dataclass(slots=True)
class _Reader:
    """Goes through a pattern once, from left to right."""

    text: str
    flags: int
    at: int = 0
    count: int = 0
    depth: int = 0
    cost: int = 0
    behind: int | None = None
    names: dict[str, int] = field(default_factory=dict)
    widths: dict[int, tuple[int, int]] = field(default_factory=dict)

    def read(self) -> Pattern:
        if self.flags & ASCII and self.flags & UNICODE:
            raise _Bad("ASCII and UNICODE exclude each other")
        self._leading_flags()
        body = self._choice(self.flags)
        if self.at < len(self.text):
            raise _Bad("a bracket ) has no ( before it")
        return Pattern(body, self.count, self.names, self.cost + 8 * len(self.text))

    # Characters

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, what: str) -> bool:
        if self.text.startswith(what, self.at):
            self.at += len(what)
            return True
        return False

    def _next(self, missing: str) -> str:
        char = self._peek()
        if not char:
            raise _Bad(missing)
        self.at += 1
        return char

    def _until(self, end: str, missing: str) -> str:
        stop = self.text.find(end, self.at)
        if stop < 0:
            raise _Bad(missing)
        found = self.text[self.at : stop]
        self.at = stop + 1
        return found

    def _while(self, allowed: Iterable[str], most: int) -> str:
        start = self.at
        while self.at < len(self.text) and self.at - start < most and self.text[self.at] in allowed:
            self.at += 1
        return self.text[start : self.at]

    def _skip(self, flags: int) -> bool:
        """Pass over white space and comments of a verbose pattern."""
        if not flags & VERBOSE:
            return False
        start = self.at
        while self._peek() and self._peek() in _SPACE | {"#"}:
            if self._peek() == "#":
                self._pass_to("\n")
            else:
                self.at += 1
        return self.at > start

    def _pass_to(self, end: str) -> bool:
        """Pass over a comment and its end, if it has one; a character after a backslash is not it."""
        while char := self._peek():
            self.at += 1
            if char == end:
                return True
            if char == "\\":
                self._next("the pattern ends with a backslash")
        return False

    # Choices, sequences, repetition

    def _choice(self, flags: int) -> Node:
        options = [self._sequence(flags)]
        while self._take("|"):
            options.append(self._sequence(flags))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self, flags: int) -> Node:
        parts: list[Node] = []
        repeatable = "nothing"
        while self._peek() not in ("", "|", ")"):
            if self._skip(flags) or self._comment():
                continue
            counted = self._counted()
            if counted is None:
                parts.append(self._part(flags))
                is_bare_edge = isinstance(parts[-1], Edge) and self.text[self.at - 1] != ")"
                repeatable = "nothing" if is_bare_edge else "part"
            else:
                if repeatable != "part":
                    raise _Bad("there is nothing to repeat" if repeatable == "nothing" else "a repetition is repeated")
                parts.append(self._repeat(parts.pop(), *counted))
                repeatable = "repeat"
        return _joined(parts)

    def _comment(self) -> bool:
        if not self._take("(?#"):
            return False
        if not self._pass_to(")"):
            raise _Bad("a comment (?# has no end")
        return True

    def _counted(self) -> tuple[int, int | None] | None:
        for sign, counted in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._take(sign):
                return counted
        found = _COUNT.match(self.text, self.at)
        if found is None or found.group() == "{}":
            return None
        self.at = found.end()
        low, comma, high = found.groups()
        if max(len(low), len(high)) > 10:
            raise _Bad("a repetition has too high a number")
        least = int(low or 0)
        most = int(high) if high else None if comma else least
        if max(least, most or 0) >= LARGEST:
            raise _Bad("a repetition has too high a number")
        if most is not None and most < least:
            raise _Bad("the most of a repetition is less than its least")
        return least, most

    def _repeat(self, body: Node, least: int, most: int | None) -> Node:
        if self._take("?"):
            return Repeat(body, least, most, is_lazy=True)
        repeated = Repeat(body, least, most)
        return Atomic(repeated) if self._take("+") else repeated

    def _part(self, flags: int) -> Node:
        char = self._next("")
        kept = flags & _KEPT
        match char:
            case "\\":
                return self._escape(flags)
            case "[":
                return self._class(kept)
            case "(":
                return self._group(flags)
            case ".":
                return ANY if flags & DOTALL else NOT_NEWLINE
            case "^":
                return Edge("line_start" if flags & MULTILINE else "start")
            case "$":
                return Edge("line_end" if flags & MULTILINE else "end")
            case _:
                return Text(char, kept)

    # Escapes and classes

    def _escape(self, flags: int) -> Node:
        char = self._next("the pattern ends with a backslash")
        kept = flags & _KEPT
        edges: dict[str, Edge] = {
            "A": Edge("start"), "Z": Edge("last"), "b": Edge("word", kept), "B": Edge("not_word", kept),
        }  # fmt: skip
        if char in edges:
            return edges[char]
        if char in "dDsSwW":
            return One(f"\\{char}", flags=kept)
        if char in _DIGITS - {"0"}:
            return self._back(char, kept)
        return Text(self._escaped(char), kept)

    def _escaped(self, char: str) -> str:
        """The character that stands for itself after a backslash."""
        if char in _CONTROL:
            return _CONTROL[char]
        if char in _HEX_DIGITS:
            digits = self._while("0123456789abcdefABCDEF", _HEX_DIGITS[char])
            if len(digits) != _HEX_DIGITS[char] or int(digits, 16) > 0x10FFFF:
                raise _Bad(f"\\{char} needs {_HEX_DIGITS[char]} hexadecimal digits of a character")
            return chr(int(digits, 16))
        if char == "0":
            return chr(int(f"0{self._while(_OCTAL, 2)}", 8))
        if char == "N":
            raise _Bad("\\N is not part of the language; use \\u with the character's number")
        if char in _LETTERS:
            raise _Bad("a letter that means nothing stands after a backslash")
        return char

    def _back(self, first: str, kept: int) -> Node:
        digits = first + self._while(_DIGITS, 1)
        if len(digits) == 2 and set(digits) <= _OCTAL and self._peek() in _OCTAL:
            return Text(_octal(digits + self._next("")), kept)
        return self._reference(int(digits), kept)

    def _reference(self, number: int, kept: int) -> Node:
        if not 1 <= number <= self.count:
            raise _Bad("a group is mentioned that is not there")
        if number not in self.widths:
            raise _Bad("a group is mentioned before it ends")
        if self.behind is not None and number > self.behind:
            raise _Bad("a group is mentioned within the look-behind that it stands in")
        return Back(number, kept)

    def _class(self, kept: int) -> Node:
        is_negated = self._take("^")
        inner: list[str] = []
        missing = "a class [ has no end"
        while not (self._peek() == "]" and inner):
            first, first_set = self._member(missing)
            if not self._take("-"):
                inner.append(first_set or character(first))
            elif self._take("]"):
                inner += [first_set or character(first), "\\-"]
                return One("".join(inner), is_negated, kept)
            else:
                last, last_set = self._member(missing)
                if first_set or last_set or last < first:
                    raise _Bad("a range within [ ] has a wrong order")
                self.cost += min(ord(last) - ord(first), _WIDEST_CLASS)
                inner.append(f"{character(first)}-{character(last)}")
        self.at += 1
        return One("".join(inner), is_negated, kept)

    def _member(self, missing: str) -> tuple[str, str]:
        """A character within brackets, or a set such as digits."""
        char = self._next(missing)
        if char != "\\":
            return char, ""
        char = self._next(missing)
        if char in "dDsSwW":
            return "", f"\\{char}"
        if char == "b":
            return "\b", ""
        if char in _OCTAL:
            return _octal(char + self._while(_OCTAL, 2)), ""
        if char in _DIGITS:
            raise _Bad("a digit that means nothing stands after a backslash")
        return self._escaped(char), ""

    # Groups

    def _group(self, flags: int) -> Node:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise _Bad(f"groups are nested more than {MAX_NESTING} deep")
        node = self._extension(flags) if self._take("?") else self._kept("", flags)
        self.depth -= 1
        return node

    def _extension(self, flags: int) -> Node:
        char = self._next("a group ( has no end")
        match char:
            case ":":
                return self._body(flags)
            case ">":
                return Atomic(self._body(flags))
            case "=" | "!":
                return Look(self._body(flags), char == "!", None)
            case "<":
                return self._look_behind(flags)
            case "P":
                return self._named(flags)
            case "(":
                raise _Bad("a condition (?( is not part of the language; write both cases with |")
            case _:
                return self._scoped(char, flags)

    def _body(self, flags: int) -> Node:
        body = self._choice(flags)
        if not self._take(")"):
            raise _Bad("a group ( has no end")
        return body

    def _kept(self, name: str, flags: int) -> Node:
        self.count += 1
        number = self.count
        if name:
            self.names[name] = number
        body = self._body(flags)
        self.widths[number] = width(body, self.widths)
        return Group(number, body)

    def _look_behind(self, flags: int) -> Node:
        sign = self._next("a group ( has no end")
        if sign not in "=!":
            raise _Bad("a named group is written (?P<name>...)")
        outer, self.behind = self.behind, self.count if self.behind is None else self.behind
        body = self._body(flags)
        self.behind = outer
        least, most = width(body, self.widths)
        if least != most:
            raise _Bad("what a look-behind (?<= takes must have one length")
        return Look(body, sign == "!", least)

    def _named(self, flags: int) -> Node:
        if self._take("="):
            number = self.names.get(self._until(")", "a name has no end"))
            if number is None:
                raise _Bad("a group is mentioned that is not there")
            return self._reference(number, flags & _KEPT)
        if not self._take("<"):
            raise _Bad("a named group is written (?P<name>...)")
        name = self._until(">", "a name has no end")
        if not name.isidentifier() or name in self.names:
            raise _Bad("the name of a group is one word, and each has its own")
        return self._kept(name, flags)

    def _scoped(self, char: str, flags: int) -> Node:
        added, removed, end = self._flag_letters(char)
        if end == ")":
            raise _Bad("flags (?...) stand at the start of the pattern")
        if added & (ASCII | UNICODE):
            flags &= ~(ASCII | UNICODE)
        return self._body(flags & ~removed | added)

    def _flag_letters(self, char: str) -> tuple[int, int, str]:
        """The flags switched on and off, and the bracket or colon after them."""
        switched = [0, 0]
        part = 0
        while char not in ":)":
            if char == "-" and part == 0 and self._peek() not in (":", ")"):
                part = 1
            elif char in _FLAG_LETTERS and not (part and char in "au"):
                switched[part] |= _FLAG_LETTERS[char]
            else:
                raise _Bad("what stands after (? means nothing")
            char = self._next("a group ( has no end")
        added, removed = switched
        if added & removed or (added & ASCII and added & UNICODE) or (part and char == ")"):
            raise _Bad("what stands after (? means nothing")
        return added, removed, char

    def _leading_flags(self) -> None:
        while True:
            self._skip(self.flags)
            start = self.at
            if self._comment():
                continue
            if not (self._take("(?") and self._peek() in _FLAG_LETTERS):
                self.at = start
                return
            added, _, end = self._flag_letters(self._next(""))
            if end != ")":
                self.at = start
                return
            self.flags |= added
            if self.flags & ASCII and self.flags & UNICODE:
                raise _Bad("ASCII and UNICODE exclude each other")


def _octal(digits: str) -> str:
    number = int(digits, 8)
    if number > 0o377:
        raise _Bad("an octal number goes up to \\377")
    return chr(number)


def _joined(parts: list[Node]) -> Node:
    """Characters that follow each other become one text."""
    joined: list[Node] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, Text) and isinstance(last, Text) and last.flags == part.flags:
            joined[-1] = Text(last.text + part.text, part.flags)
        else:
            joined.append(part)
    return joined[0] if len(joined) == 1 else Sequence(tuple(joined))
