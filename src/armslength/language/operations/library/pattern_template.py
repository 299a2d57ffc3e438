"""The replacement of `re.sub`: text, in which a backslash and a number or a name stand for groups."""

from __future__ import annotations

import re
from dataclasses import dataclass

Part = str | int
"""Text, or the number of a group."""

_CONTROL = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset("0123456789")
_OCTAL = re.compile("0[0-7]{0,2}|[0-7]{3}")


class _Bad(Exception):
    """A replacement that is not read; its text is the reason."""


def read_template(template: str, groups: int, names: dict[str, int]) -> list[Part] | str:
    """The parts of a replacement: text, and numbers of groups; or the reason why it is refused."""
    reader = _Template(template, groups, names)
    try:
        return reader.read()
    except _Bad as bad:
        return str(bad)


@dataclass(slots=True)
class _Template:
    """Goes through a replacement once."""

    text: str
    groups: int
    names: dict[str, int]

    def read(self) -> list[Part]:
        parts: list[Part] = []
        at = 0
        while (slash := self.text.find("\\", at)) >= 0:
            parts.append(self.text[at:slash])
            part, at = self._escape(slash + 1)
            parts.append(part)
        parts.append(self.text[at:])
        return parts

    def _escape(self, at: int) -> tuple[Part, int]:
        char = self.text[at : at + 1]
        octal = _OCTAL.match(self.text, at)
        match char:
            case "":
                raise _Bad("the replacement ends with a backslash")
            case "g":
                return self._named(at + 1)
            case _ if octal is not None:
                if int(octal.group(), 8) > 0o377:
                    raise _Bad("an octal number goes up to \\377")
                return chr(int(octal.group(), 8)), octal.end()
            case _ if char in _DIGITS:
                digits = self.text[at : at + 2] if self.text[at + 1 : at + 2] in _DIGITS else char
                return self._group(int(digits)), at + len(digits)
            case _ if char in _CONTROL:
                return _CONTROL[char], at + 1
            case _ if char in _LETTERS:
                raise _Bad("a letter that means nothing stands after a backslash")
            case _:
                return f"\\{char}", at + 1

    def _named(self, at: int) -> tuple[int, int]:
        end = self.text.find(">", at)
        if self.text[at : at + 1] != "<" or end < 0:
            raise _Bad("a group is mentioned as \\g<name>")
        name = self.text[at + 1 : end]
        if name.isdecimal() and name.isascii():
            return self._group(int(name) if len(name) < 10 else self.groups + 1), end + 1
        if name not in self.names:
            raise _Bad("a group is mentioned that is not there")
        return self.names[name], end + 1

    def _group(self, number: int) -> int:
        if number > self.groups:
            raise _Bad("a group is mentioned that is not there")
        return number
