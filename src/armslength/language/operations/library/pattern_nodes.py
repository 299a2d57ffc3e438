"""The parts of a regular expression, as `pattern_syntax` reads them and `pattern_program` turns them into steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

IGNORECASE, MULTILINE, DOTALL, UNICODE, VERBOSE, ASCII = 2, 8, 16, 32, 64, 256
"""The flags, as `re` numbers them."""
FLAGS = IGNORECASE | MULTILINE | DOTALL | UNICODE | VERBOSE | ASCII
LARGEST = 2**32 - 1
"""What stands for "without end" where widths are compared."""


@dataclass(frozen=True, slots=True)
class One:
    """One character of a class: `inner` is what stands between the brackets, in Python's syntax."""

    inner: str
    is_negated: bool = False
    flags: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """These characters, one after the other."""

    text: str
    flags: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A place between characters."""

    kind: Literal["start", "line_start", "end", "line_end", "last", "word", "not_word"]
    flags: int = 0


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The first option that lets the rest match."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """What `body` matches, kept under a number."""

    number: int
    body: Node


@dataclass(frozen=True, slots=True)
class Repeat:
    """`body` again and again; `most` None is without end."""

    body: Node
    least: int
    most: int | None
    is_lazy: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Whether `body` matches here, or ends here; nothing is taken. `width` is how far back it begins."""

    body: Node
    is_negated: bool
    width: int | None


@dataclass(frozen=True, slots=True)
class Back:
    """What a group matched, once more."""

    number: int
    flags: int


@dataclass(frozen=True, slots=True)
class Atomic:
    """`body`, and no other way to match it once it did."""

    body: Node


Node = One | Text | Edge | Sequence | Choice | Group | Repeat | Look | Back | Atomic
ANY = One(r"\s\S")
NOT_NEWLINE = One(r"\n", is_negated=True)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read. `cost` is about how many characters Python's `re` goes through to prepare its classes."""

    body: Node
    groups: int
    names: dict[str, int]
    cost: int


def width(node: Node, groups: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """The least and the most characters that a part takes."""
    match node:
        case One():
            return 1, 1
        case Text(text):
            return len(text), len(text)
        case Edge() | Look():
            return 0, 0
        case Sequence(parts):
            ranges = [width(part, groups) for part in parts]
            return sum(least for least, _ in ranges), sum(most for _, most in ranges)
        case Choice(options):
            ranges = [width(option, groups) for option in options]
            return min(least for least, _ in ranges), max(most for _, most in ranges)
        case Group(_, body) | Atomic(body):
            return width(body, groups)
        case Repeat(body, least, most):
            low, high = width(body, groups)
            return low * least, high * (LARGEST if most is None else most)
        case Back(number):
            return groups.get(number, (0, LARGEST))


def character(char: str) -> str:
    """A character as it may stand between brackets."""
    return f"\\U{ord(char):08x}"
