"""`match`: patterns. Whether one matches is a test of all that was looked at; what it captures is read as any element is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from armslength.labels import NOTHING, Label, bits_for, construct, tested
from armslength.language.machine import Kind, Machine
from armslength.language.operations.comparing import compare
from armslength.language.operations.elements import (
    hashable,
    key_label,
    read,
    read_field,
    read_item,
    sequence,
    walk_label,
)
from armslength.language.operations.wholes import shape_of, truth, truth_label
from armslength.language.reading.refused import refuse, refuse_node
from armslength.language.running.compiler import Compiler, Execute, Signal, Store
from armslength.language.running.targets import store_in
from armslength.schema import RecordType
from armslength.values import (
    DictObject,
    Frame,
    ListObject,
    RecordObject,
    TupleObject,
    Value,
    kind,
    make,
    unwrap,
)


@dataclass(frozen=True, slots=True)
class Found:
    """Whether a pattern matched, what decided that, and what it captured."""

    is_match: bool
    decided_by: Label
    captured: tuple[tuple[Store, Value], ...] = ()


Pattern = Callable[[Frame, Value], Found]


def compile_match(c: Compiler, node: ast.Match) -> Execute:
    """The first case that matches; whether each does guards it and all that follow."""
    machine, effects, subject = c.machine, c.effects(node), c.expression(node.subject)
    cases = [
        (
            compile_pattern(c, case.pattern),
            _bits(case.pattern),
            None if case.guard is None else c.expression(case.guard),
            c.block(case.body),
        )
        for case in node.cases
    ]

    def run(frame: Frame) -> Signal | None:
        value = subject(frame)
        region = machine.enter(Kind.BRANCH, frame, effects)
        region.held = (value,)
        try:
            for pattern, bits, guard, body in cases:
                found = pattern(frame, value)
                machine.guard(region, found.decided_by, bits)
                if not found.is_match:
                    continue
                for store, part in found.captured:
                    store(frame, part)
                if guard is not None:
                    test = guard(frame)
                    machine.guard(region, truth_label(test))
                    if not truth(test):
                        continue
                return body(frame)
        finally:
            machine.leave(region)
        return None

    return run


def _bits(pattern: ast.pattern) -> int:
    """Whether it matches takes one; which of several alternatives did is told by what they capture."""
    choices = [each for each in ast.walk(pattern) if isinstance(each, ast.MatchOr)]
    capturing = [each for each in choices if any(isinstance(part, _CAPTURES) for part in ast.walk(each))]
    return 1 + sum(bits_for(len(each.patterns)) for each in capturing)


_CAPTURES = (ast.MatchAs, ast.MatchStar, ast.MatchMapping)


def compile_pattern(c: Compiler, node: ast.pattern) -> Pattern:
    """The closure of a pattern.

    Raises:
        ProgramRefused: it is not in the language.
    """
    match node:
        case ast.MatchValue(value=value):
            return _equal(c, value, ast.Eq())
        case ast.MatchSingleton(value=value):
            return _equal(c, ast.copy_location(ast.Constant(value), node), ast.Is())
        case ast.MatchAs():
            return _capture(c, node)
        case ast.MatchOr(patterns=patterns):
            return _any(c, patterns)
        case ast.MatchSequence(patterns=patterns):
            return _sequence(c, patterns)
        case ast.MatchMapping():
            return _mapping(c, node)
        case ast.MatchClass():
            return _class(c, node)
        case _:
            raise refuse_node(node)


def _equal(c: Compiler, node: ast.expr, operator: ast.cmpop) -> Pattern:
    machine, wanted = c.machine, c.expression(node)

    def run(frame: Frame, value: Value) -> Found:
        answer = compare(machine, operator, value, wanted(frame))
        return Found(bool(unwrap(answer)), answer.label)

    return run


def _capture(c: Compiler, node: ast.MatchAs) -> Pattern:
    inner = None if node.pattern is None else compile_pattern(c, node.pattern)
    store = None if node.name is None else store_in(c.machine, c.variable(node))

    def run(frame: Frame, value: Value) -> Found:
        found = Found(True, NOTHING) if inner is None else inner(frame, value)
        if store is None or not found.is_match:
            return found
        return Found(True, found.decided_by, (*found.captured, (store, value)))

    return run


def _any(c: Compiler, patterns: Sequence[ast.pattern]) -> Pattern:
    choices = [compile_pattern(c, pattern) for pattern in patterns]

    def run(frame: Frame, value: Value) -> Found:
        decided_by = NOTHING
        for choice in choices:
            found = choice(frame, value)
            decided_by = construct(decided_by, found.decided_by)
            if found.is_match:
                return Found(True, decided_by, found.captured)
        return Found(False, decided_by)

    return run


def _all(pairs: Sequence[tuple[Pattern, Value]], frame: Frame, decided_by: Label) -> Found:
    """Every part matches its pattern; the first that does not ends it."""
    captured: list[tuple[Store, Value]] = []
    for pattern, part in pairs:
        found = pattern(frame, part)
        decided_by = tested(decided_by, found.decided_by)
        if not found.is_match:
            return Found(False, decided_by)
        captured.extend(found.captured)
    return Found(True, decided_by, tuple(captured))


def _sequence(c: Compiler, patterns: Sequence[ast.pattern]) -> Pattern:
    stars = [number for number, pattern in enumerate(patterns) if isinstance(pattern, ast.MatchStar)]
    rest = _star(c, patterns[stars[0]]) if stars else None
    before = [compile_pattern(c, pattern) for pattern in patterns[: stars[0] if stars else len(patterns)]]
    after = [compile_pattern(c, pattern) for pattern in patterns[stars[0] + 1 :]] if stars else []
    least = len(before) + len(after)

    def run(frame: Frame, value: Value) -> Found:
        raw, label = unwrap(value), tested(value.label, shape_of(value))
        if not isinstance(raw, ListObject | TupleObject):
            return Found(False, label)
        count = len(raw.items)
        if count < least or (not stars and count != least):
            return Found(False, label)
        parts = [read(item, value) for item in raw.items]
        c.machine.spend_elements(count)
        end = count - len(after)
        pairs = [*zip(before, parts[: len(before)], strict=True), *zip(after, parts[end:], strict=True)]
        found = _all(pairs, frame, label)
        if rest is None or not found.is_match:
            return found
        taken = sequence(parts[len(before) : end], construct(walk_label(value)))
        return Found(True, found.decided_by, (*found.captured, (rest, taken)))

    return run


def _star(c: Compiler, node: ast.pattern) -> Store | None:
    if not isinstance(node, ast.MatchStar):
        raise refuse_node(node)
    return None if node.name is None else store_in(c.machine, c.variable(node))


def _mapping(c: Compiler, node: ast.MatchMapping) -> Pattern:
    machine = c.machine
    entries = [
        (c.expression(key), compile_pattern(c, pattern)) for key, pattern in zip(node.keys, node.patterns, strict=True)
    ]
    rest = None if node.rest is None else store_in(c.machine, c.variable(node))

    def run(frame: Frame, value: Value) -> Found:
        raw, label = unwrap(value), tested(value.label, shape_of(value))
        if not isinstance(raw, DictObject):
            return Found(False, label)
        keys = [key(frame) for key, _ in entries]
        pairs: list[tuple[Pattern, Value]] = []
        for key, (_, pattern) in zip(keys, entries, strict=True):
            label = tested(label, key_label(machine, key))
            if hashable(machine, key) not in raw.entries:
                return Found(False, label)
            pairs.append((pattern, read_item(machine, value, key)))
        found = _all(pairs, frame, label)
        if rest is None or not found.is_match:
            return found
        return Found(True, found.decided_by, (*found.captured, (rest, _without(machine, raw, value, keys))))

    return run


def _without(machine: Machine, raw: DictObject, value: Value, keys: Sequence[Value]) -> Value:
    made = DictObject(construct(walk_label(value), *(key_label(machine, each) for each in keys)))
    taken = {hashable(machine, key) for key in keys}
    machine.spend_elements(len(raw.entries))
    for key, entry in raw.entries.items():
        if key not in taken:
            made.entries[key] = type(entry)(read(entry.key, value), read(entry.value, value))
    return make(made, NOTHING)


def _class(c: Compiler, node: ast.MatchClass) -> Pattern:
    if not isinstance(node.cls, ast.Name):
        raise refuse(node, "a class pattern names a class", "write case Task(title=title):")
    name = node.cls.id
    record = c.analysis.classes.records.get(name)
    if record is None:
        return _plain(c, node, name)
    return _record(c, node, record)


def _plain(c: Compiler, node: ast.MatchClass, name: str) -> Pattern:
    inner = compile_pattern(c, node.patterns[0]) if node.patterns else None

    def run(frame: Frame, value: Value) -> Found:
        label = tested(value.label)
        if kind(value) != name and not (name == "int" and kind(value) == "bool"):
            return Found(False, label)
        return Found(True, label) if inner is None else _all([(inner, value)], frame, label)

    return run


def _record(c: Compiler, node: ast.MatchClass, record: RecordType) -> Pattern:
    names = [*(each.name for each in record.fields[: len(node.patterns)]), *node.kwd_attrs]
    patterns = [compile_pattern(c, pattern) for pattern in (*node.patterns, *node.kwd_patterns)]

    def run(frame: Frame, value: Value) -> Found:
        raw, label = unwrap(value), tested(value.label)
        if not isinstance(raw, RecordObject) or raw.type.name != record.name:
            return Found(False, label)
        parts = [read_field(c.machine, value, name) for name in names]
        return _all(list(zip(patterns, parts, strict=True)), frame, label)

    return run
