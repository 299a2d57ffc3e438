"""From the parts of a regular expression to a program of the engine.

Single classes of characters, and texts whose case does not matter, are handed to Python's own `re`: what it does with one class, or
with one text, takes time in proportion to the length.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from armslength.language.operations.library.pattern_engine import DONE, FAILED, Operation, Program, Run
from armslength.language.operations.library.pattern_nodes import (
    ANY,
    ASCII,
    IGNORECASE,
    MULTILINE,
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
)
from armslength.language.operations.library.pattern_syntax import read_pattern

_KNOWN_CHARACTERS = 512
_MANY_STARTS = 200


@lru_cache(maxsize=64)
def program_of(pattern: str, flags: int) -> Program | str:
    """The steps of a pattern, or the reason why it is refused. What was read is kept, which changes no count."""
    read = read_pattern(pattern, flags)
    return read if isinstance(read, str) else _built(read)


def _built(pattern: Pattern) -> Program:
    builder = _Builder(2 * pattern.groups)
    builder.add(pattern.body)
    builder.emit(_accept)
    return Program(
        tuple(builder.code),
        builder.all_follows(),
        _starts(pattern.body),
        _first_edge(pattern.body) == Edge("start"),
        builder.slots,
        pattern.groups,
        dict(pattern.names),
        pattern.cost,
    )


@dataclass(slots=True)
class _Builder:
    """The code as it grows. `passed`: the operations that leave the place as it is and always go on to the next."""

    slots: int
    code: list[Operation] = field(default_factory=list)
    follows: list[str] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)

    def emit(self, operation: Operation, follows: str = "") -> int:
        self.code.append(operation)
        self.follows.append(follows)
        return len(self.code) - 1

    def all_follows(self) -> tuple[str, ...]:
        for place in sorted(self.passed, reverse=True):
            self.follows[place] = self.follows[place + 1]
        return tuple(self.follows)

    def add(self, node: Node) -> None:
        match node:
            case One():
                self.emit(_one(node))
            case Text(text, flags) if flags & IGNORECASE:
                self.emit(_any_case(node))
            case Text(text):
                self.emit(_text(text), text[0])
            case Edge():
                self.emit(_edge(node))
            case Sequence(parts):
                for part in parts:
                    self.add(part)
            case Choice(options):
                self._add_choice(options)
            case Group(number, body):
                self.passed.add(self.emit(_mark(2 * number - 2)))
                self.add(body)
                self.passed.add(self.emit(_mark(2 * number - 1)))
            case Repeat():
                self._add_repeat(node)
            case Look(body):
                self._add_inner(body, lambda inner, after: _look(node, inner, after))
            case Back():
                self.emit(_back(node))
            case Atomic(body):
                self._add_inner(body, _atomic)

    def _add_inner(self, body: Node, operation: Callable[[int, int], Operation]) -> None:
        place = self.emit(_leave)
        self.add(body)
        self.emit(_leave)
        self.code[place] = operation(place + 1, len(self.code))

    def _add_choice(self, options: tuple[Node, ...]) -> None:
        split = self.emit(_leave)
        entries: list[int] = []
        jumps: list[int] = []
        for option in options:
            entries.append(len(self.code))
            self.add(option)
            jumps.append(self.emit(_leave))
        for jump in jumps:
            self.code[jump] = _jump(len(self.code))
        self.code[split] = _split(entries)

    def _add_repeat(self, node: Repeat) -> None:
        body, least, most = node.body, node.least, node.most
        single = body if isinstance(body, One) else None
        if isinstance(body, Text) and len(body.text) == 1:
            single = One(character(body.text), flags=body.flags)
        if single is not None:
            self.emit(_run(single, node, len(self.code) + 1))
        elif (least, most) == (1, 1):
            self.add(body)
        elif (least, most) == (0, 1):
            split = self.emit(_leave)
            self.add(body)
            ways = [split + 1, len(self.code)]
            self.code[split] = _split(ways[::-1] if node.is_lazy else ways)
        elif most != 0:
            self._add_loop(node)

    def _add_loop(self, node: Repeat) -> None:
        loop = _Loop(self.slots, self.slots + 1, len(self.code) + 1, node.least, node.most)
        self.slots += 2
        enter = self.emit(_leave)
        self.emit(loop.again)
        self.add(node.body)
        self.emit(loop.lazy if node.is_lazy else loop.greedy)
        self.code[enter] = loop.entering(len(self.code) - 1)


# Operations


def _accept(run: Run, at: int) -> int:
    if (run.is_whole and at != run.end) or (run.must_advance and at == run.origin):
        return FAILED
    run.pc = DONE
    return at


def _leave(run: Run, at: int) -> int:
    run.pc = DONE
    return at


class _Members(dict[str, bool]):
    """Which characters are in a class, as they are asked for."""

    __slots__ = ("_is_member",)

    def __init__(self, one: One) -> None:
        self._is_member = re.compile(_source(one), one.flags).match

    def __missing__(self, char: str) -> bool:
        if len(self) > _KNOWN_CHARACTERS:
            self.clear()
        found = self[char] = self._is_member(char) is not None
        return found


def _source(one: One) -> str:
    """The class as Python's `re` reads it; its flags go beside it, as a flag within means less there."""
    return f"[{'^' if one.is_negated else ''}{one.inner}]"


def _one(one: One) -> Operation:
    members = _Members(one)

    def operation(run: Run, at: int) -> int:
        return at + 1 if at < run.end and members[run.text[at]] else FAILED

    return operation


def _text(text: str) -> Operation:
    size, cost = len(text), len(text) >> 6

    def operation(run: Run, at: int) -> int:
        run.steps += cost
        return at + size if run.text.startswith(text, at) else FAILED

    return operation


def _any_case(node: Text) -> Operation:
    match_here = re.compile(re.escape(node.text), node.flags).match
    size, cost = len(node.text), len(node.text) >> 4

    def operation(run: Run, at: int) -> int:
        run.steps += cost
        return at + size if match_here(run.text, at) is not None else FAILED

    return operation


def _edge(edge: Edge) -> Operation:
    is_word = _Members(One(r"\w", flags=edge.flags))

    def is_at_word(run: Run, at: int) -> bool:
        before = at > 0 and is_word[run.text[at - 1]]
        after = at < run.end and is_word[run.text[at]]
        return before != after

    tests: dict[str, Callable[[Run, int], bool]] = {
        "start": lambda run, at: at == 0,
        "line_start": lambda run, at: at == 0 or run.text[at - 1] == "\n",
        "end": lambda run, at: at == run.end or (at == run.end - 1 and run.text[at] == "\n"),
        "line_end": lambda run, at: at == run.end or run.text[at] == "\n",
        "last": lambda run, at: at == run.end,
        "word": is_at_word,
        "not_word": lambda run, at: run.end > 0 and not is_at_word(run, at),
    }
    test = tests[edge.kind]

    def operation(run: Run, at: int) -> int:
        return at if test(run, at) else FAILED

    return operation


def _mark(slot: int) -> Operation:
    def operation(run: Run, at: int) -> int:
        run.put(slot, at)
        return at

    return operation


def _jump(target: int) -> Operation:
    def operation(run: Run, at: int) -> int:
        run.pc = target
        return at

    return operation


def _split(ways: list[int]) -> Operation:
    first, others = ways[0], ways[:0:-1]

    def operation(run: Run, at: int) -> int:
        run.steps += len(others)
        run.stack += [(way, at) for way in others]
        run.pc = first
        return at

    return operation


def _run(one: One, node: Repeat, after: int) -> Operation:
    """Characters of one class in a row: as many as there are, then fewer; or the other way round."""
    least, most, is_lazy = node.least, node.most, node.is_lazy
    scan = re.compile(f"{_source(one)}{{{least},{'' if most is None else most}}}", one.flags).match
    is_any = one.inner == ANY.inner and not one.is_negated

    def operation(run: Run, at: int) -> int:
        low = at + least
        if is_any:
            high = run.end if most is None else min(at + most, run.end)
            if high < low:
                return FAILED
        else:
            found = scan(run.text, at)
            if found is None:
                return FAILED
            high = found.end()
            run.steps += (high - at) >> 4
        return run.among(after, low, high) if is_lazy else run.among(after, high, low)

    return operation


def _lowered(text: str, flags: int) -> list[str]:
    if flags & ASCII:
        return [char.lower() if char.isascii() else char for char in text]
    return [char.lower()[0] for char in text]


def _back(node: Back) -> Operation:
    begin, end, flags = 2 * node.number - 2, 2 * node.number - 1, node.flags

    def operation(run: Run, at: int) -> int:
        start, stop = run.slots[begin], run.slots[end]
        if start < 0 or stop < start:
            return FAILED
        run.steps += (stop - start) >> (1 if flags & IGNORECASE else 4)
        piece, here = run.text[start:stop], run.text[at : at + stop - start]
        if piece == here or (flags & IGNORECASE and _lowered(piece, flags) == _lowered(here, flags)):
            return at + stop - start
        return FAILED

    return operation


def _look(node: Look, inner: int, after: int) -> Operation:
    back, is_negated = node.width or 0, node.is_negated

    def operation(run: Run, at: int) -> int:
        base = len(run.stack)
        is_found = at >= back and run.follow(inner, at - back, base) != FAILED
        run.pc = after
        if is_negated:
            run.undo(base)
        else:
            run.forget(base)
        return at if is_found != is_negated else FAILED

    return operation


def _atomic(inner: int, after: int) -> Operation:
    def operation(run: Run, at: int) -> int:
        base = len(run.stack)
        ended = run.follow(inner, at, base)
        run.pc = after
        run.forget(base)
        return ended

    return operation


@dataclass(frozen=True, slots=True)
class _Loop:
    """A repetition of more than one character: how often it was gone round, and where it was last gone into, lie in two slots.

    It is not gone into again where it was last gone into once there are enough rounds: an empty round is the last one.
    """

    count: int
    place: int
    body: int
    least: int
    most: int | None

    def entering(self, until: int) -> Operation:
        def operation(run: Run, at: int) -> int:
            run.put(self.count, -1)
            run.put(self.place, -1)
            run.pc = until
            return at

        return operation

    def again(self, run: Run, at: int) -> int:
        """One more round."""
        run.put(self.count, run.slots[self.count] + 1)
        run.put(self.place, at)
        return at

    def _must(self, run: Run) -> bool:
        return run.slots[self.count] + 1 < self.least

    def _may(self, run: Run, at: int) -> bool:
        rounds = run.slots[self.count] + 1
        return (self.most is None or rounds < self.most) and at != run.slots[self.place]

    def greedy(self, run: Run, at: int) -> int:
        """At the end of a round: another one if there can be, else what comes after."""
        after = run.pc
        if self._must(run):
            run.put(self.count, run.slots[self.count] + 1)
            run.pc = self.body + 1
        elif self._may(run, at):
            run.stack.append((after, at))
            run.pc = self.body
        return at

    def lazy(self, run: Run, at: int) -> int:
        """At the end of a round: what comes after, else another one."""
        if self._must(run):
            run.put(self.count, run.slots[self.count] + 1)
            run.pc = self.body + 1
        elif self._may(run, at):
            run.stack.append((self.body, at))
        return at


# Where a match can begin


@dataclass(frozen=True, slots=True)
class _First:
    """The classes that a match can begin with; None if that is not known. `can_be_empty`: it can also begin with what comes after."""

    classes: tuple[One, ...] | None
    can_be_empty: bool


def _first(node: Node) -> _First:
    match node:
        case One():
            return _First((node,), can_be_empty=False)
        case Text(text, flags):
            return _First((One(character(text[0]), flags=flags),), can_be_empty=False)
        case Edge() | Look():
            return _First((), can_be_empty=True)
        case Back():
            return _First(None, can_be_empty=True)
        case Group(_, body) | Atomic(body):
            return _first(body)
        case Repeat(body, least):
            first = _first(body)
            return _First(first.classes, can_be_empty=least == 0 or first.can_be_empty)
        case Choice(options):
            firsts = [_first(option) for option in options]
            return _First(_united(firsts), can_be_empty=any(first.can_be_empty for first in firsts))
        case Sequence(parts):
            passed: list[_First] = []
            for part in parts:
                passed.append(_first(part))
                if not passed[-1].can_be_empty:
                    return _First(_united(passed), can_be_empty=False)
            return _First(_united(passed), can_be_empty=True)


def _united(firsts: list[_First]) -> tuple[One, ...] | None:
    united: list[One] = []
    for first in firsts:
        if first.classes is None:
            return None
        united.extend(first.classes)
    return tuple(united)


def _starts(body: Node) -> re.Pattern[str] | None:
    """A pattern of an edge, one character or one text that finds the places where a match can begin, in one go over the text."""
    leading = _leading(body)
    if isinstance(leading, Text) and not leading.flags & IGNORECASE:
        return re.compile(re.escape(leading.text))
    first = _first(body)
    classes = () if first.can_be_empty or first.classes is None or len(first.classes) > _MANY_STARTS else first.classes
    flags = {one.flags for one in classes}
    edge = _first_edge(body)
    before = ""
    if edge is not None and edge.kind in _SEARCHED:
        before, flags = _SEARCHED[edge.kind], flags | {edge.flags} if edge.kind == "word" else flags
    if len(flags) > 1 or not (before or classes):
        return None
    sources = [_source(one) for one in classes if one.is_negated]
    inner = "".join(dict.fromkeys(one.inner for one in classes if not one.is_negated))
    after = "|".join([*sources, f"[{inner}]"] if inner else sources)
    return re.compile(f"{before}(?:{after})", sum(flags) | MULTILINE)


_SEARCHED = {"line_start": "^", "word": r"\b"}


def _leading(node: Node) -> Node:
    """The part that a match begins with, whatever comes after."""
    match node:
        case Sequence(parts):
            return next((_leading(part) for part in parts if not isinstance(part, Edge | Look)), node)
        case Group(_, body) | Atomic(body):
            return _leading(body)
        case _:
            return node


def _first_edge(node: Node) -> Edge | None:
    """The edge that a match begins at."""
    match node:
        case Edge():
            return node
        case Sequence(parts) if parts:
            return _first_edge(parts[0])
        case Group(_, body) | Atomic(body):
            return _first_edge(body)
        case _:
            return None
