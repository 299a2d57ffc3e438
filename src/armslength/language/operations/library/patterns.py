"""`re`: searching text by patterns, with an engine of our own whose steps are counted (docs/decisions/0014).

What was found, whether something was found, and how often, is row "construct" over text, pattern and flags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from armslength.labels import NOTHING, Label, construct
from armslength.language.machine import Machine
from armslength.language.operations.calling import call_for_each, is_function
from armslength.language.operations.elements import sequence
from armslength.language.operations.library import pattern_nodes as flags_of
from armslength.language.operations.library.arguments import (
    Builtin,
    Method,
    bind,
    given_label,
    label_of,
    misfit,
    note_held,
    text_in,
    whole_in,
)
from armslength.language.operations.library.pattern_engine import Program, Run, Span
from armslength.language.operations.library.pattern_program import program_of
from armslength.language.operations.library.pattern_syntax import read_pattern
from armslength.language.operations.library.pattern_template import read_template
from armslength.language.operations.wholes import unmixed
from armslength.schema import INT, STR, Field, RecordType
from armslength.values import (
    Container,
    DictObject,
    Entry,
    IteratorObject,
    MatchObject,
    Raw,
    RecordObject,
    TupleObject,
    Value,
    key_of,
    make,
    unwrap,
)

PATTERN = RecordType("Pattern", (Field("pattern", STR), Field("flags", INT)))
"""What `re.compile` gives: a record of the pattern's text and its flags."""


def check_pattern(pattern: str, flags: int | None = 0) -> str | None:
    """Why a pattern is not part of the language, or None; a function of its text and flags alone.

    `flags` None: they are not known before the run, so it is refused only where no flag could make it one.
    """
    reasons = [read_pattern(pattern, each) for each in ((0, flags_of.VERBOSE) if flags is None else (flags,))]
    refused = [reason for reason in reasons if isinstance(reason, str)]
    return refused[0] if len(refused) == len(reasons) else None


@dataclass(frozen=True, slots=True)
class _Search:
    """One call: a program, the text it goes over, and the label of whatever it finds."""

    machine: Machine
    program: Program
    text: str
    label: Label

    def run(self) -> Run:
        """The program, before its first step."""
        self.machine.spend(self.program.cost)
        return Run(self.program, self.text, self.machine.spend)

    def found(self, most: int) -> list[tuple[Span, ...]]:
        """The first matches, so many (0: all of them)."""
        found: list[tuple[Span, ...]] = []
        for spans in self.run().all() if most >= 0 else ():
            self.machine.spend_elements(1 + len(spans))
            found.append(spans)
            if len(found) == most:
                break
        return found

    def piece(self, span: Span) -> Raw:
        """The text of a group; None if it took no part."""
        start, end = span
        self.machine.spend(end - start)
        return None if start < 0 else self.text[start:end]

    def pieces(self, spans: Sequence[Span]) -> list[Value]:
        """The texts of some groups."""
        self.machine.spend_elements(len(spans))
        return [make(self.piece(span), self.label) for span in spans]

    def match(self, spans: tuple[Span, ...] | None) -> Value:
        """A match, or None: either way the reference says that something was found or not."""
        if spans is None:
            return make(None, self.label)
        return make(MatchObject(tuple(self.pieces(spans)), spans, self.program.names), self.label)


def _search(machine: Machine, name: str, pattern: Value | None, text: Value | None, given: Value | None) -> _Search:
    """The search that these arguments ask for.

    Raises:
        ProgramFailed: the pattern is not part of the language, or an argument is of another kind.
    """
    if pattern is None:
        raise misfit(machine, name)
    label = label_of(machine, pattern, text, given)
    return _Search(machine, _program(machine, name, pattern, given), text_in(machine, name, text), label)


def _program(machine: Machine, name: str, pattern: Value, given: Value | None) -> Program:
    raw, number = unwrap(pattern), whole_in(machine, name, given)
    label = label_of(machine, pattern, given)
    if isinstance(raw, RecordObject) and raw.type == PATTERN:
        if number:
            raise machine.failed("value", "a compiled pattern has its flags already", label)
        source = text_in(machine, name, raw.fields["pattern"])
        number = whole_in(machine, name, raw.fields["flags"])
    else:
        source = text_in(machine, name, pattern)
    machine.spend(len(source))
    program = program_of(source, number)
    if isinstance(program, str):
        raise machine.failed("pattern", program, label)
    return program


# Functions. Each takes the pattern first; as methods of a compiled pattern they take it from their owner.


def _found(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        search = _search(machine, name, *bind(machine, name, "pattern string flags?", args, named))
        run = search.run()
        return search.match(run.first() if name == "search" else run.at_start(is_whole=name == "fullmatch"))

    return builtin


def _findall(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """A list of texts, or of tuples where the pattern has several groups; a group that took no part is an empty text."""
    search = _search(machine, "findall", *bind(machine, "findall", "pattern string flags?", args, named))
    found: list[Value] = []
    for spans in search.run().all():
        wanted = spans[1:] or spans
        pieces = search.pieces([span if span[0] >= 0 else (0, 0) for span in wanted])
        search.machine.spend_elements(1)
        found.append(pieces[0] if len(pieces) == 1 else make(TupleObject(pieces, search.label), NOTHING))
    return sequence(found, search.label)


def _finditer(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """The matches, all found at once."""
    search = _search(machine, "finditer", *bind(machine, "finditer", "pattern string flags?", args, named))
    return make(IteratorObject([search.match(spans) for spans in search.run().all()], search.label), NOTHING)


def _split(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """The texts between the matches, and those of the groups."""
    pattern, text, maximum, given = bind(machine, "split", "pattern string maxsplit? flags?", args, named)
    most = whole_in(machine, "split", maximum)
    plain = _search(machine, "split", pattern, text, given)
    search = _Search(machine, plain.program, plain.text, label_of(machine, pattern, text, maximum, given))
    parts: list[Value] = []
    at = 0
    for spans in search.found(most):
        start, end = spans[0]
        parts += search.pieces([(at, start), *spans[1:]])
        at = end
    return sequence([*parts, *search.pieces([(at, len(search.text))])], search.label)


def _replaced(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        pattern, new, text, maximum, given = bind(machine, name, "pattern repl string count? flags?", args, named)
        most = whole_in(machine, name, maximum)
        plain = _search(machine, name, pattern, text, given)
        if new is None:
            raise misfit(machine, name)
        whole = label_of(machine, pattern, text, maximum, given)
        search = _Search(machine, plain.program, plain.text, construct(whole, given_label(machine, new)))
        found = search.found(most)
        pieces = (
            _called(search, new, found) if is_function(new) else _filled(search, text_in(machine, name, new), found)
        )
        label = construct(search.label, *(piece.label for piece in pieces)) if is_function(new) else search.label
        made = make(_joined(search, found, [str(unwrap(piece)) for piece in pieces]), label)
        if name == "sub":
            return made
        return make(TupleObject([made, make(len(found), label)], label), NOTHING)

    return builtin


def _called(search: _Search, function: Value, found: Sequence[tuple[Span, ...]]) -> list[Value]:
    """What a function gives for each match: row "iterate", as `map` over them.

    Raises:
        ProgramFailed: the function failed, or gave no text.
    """
    machine = search.machine
    pieces = call_for_each(machine, function, [[search.match(spans)] for spans in found], search.label)
    for piece in pieces:
        machine.may_raise(piece.label)
        if not isinstance(unwrap(piece), str):
            raise machine.failed("type", "a function that replaces gives a text", search.label, piece.label)
    return pieces


def _filled(search: _Search, template: str, found: Sequence[tuple[Span, ...]]) -> list[Value]:
    """The replacement for each match, with its groups.

    Raises:
        ProgramFailed: the replacement mentions what is not there.
    """
    machine = search.machine
    machine.spend(len(template))
    new = read_template(template, search.program.groups, dict(search.program.names))
    if isinstance(new, str):
        raise machine.failed("pattern", new, search.label)
    pieces: list[Value] = []
    for spans in found:
        parts = [part if isinstance(part, str) else search.text[slice(*_there(spans[part]))] for part in new]
        machine.spend_elements(1 + len(parts))
        machine.spend(sum(map(len, parts)))
        pieces.append(make("".join(parts), search.label))
    return pieces


def _joined(search: _Search, found: Sequence[tuple[Span, ...]], pieces: Sequence[str]) -> str:
    """The text with these pieces where the matches were."""
    search.machine.spend(len(search.text) + sum(map(len, pieces)))
    parts: list[str] = []
    at = 0
    for spans, piece in zip(found, pieces, strict=True):
        start, end = spans[0]
        parts += (search.text[at:start], piece)
        at = end
    return "".join([*parts, search.text[at:]])


def _there(span: Span) -> Span:
    return span if span[0] >= 0 else (0, 0)


def _escape(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (pattern,) = bind(machine, "escape", "pattern", args, named)
    text = text_in(machine, "escape", pattern)
    machine.spend(2 * len(text))
    return make(re.escape(text), label_of(machine, pattern))


def _compile(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """A record of pattern and flags, each with its own label. What the pattern may not have fails here already."""
    pattern, given = bind(machine, "compile", "pattern flags?", args, named)
    if pattern is None:
        raise misfit(machine, "compile")
    machine.spend(_program(machine, "compile", pattern, given).cost)
    if isinstance(unwrap(pattern), RecordObject):
        return pattern
    return make(
        RecordObject(PATTERN, {"pattern": pattern, "flags": make(0, NOTHING) if given is None else given}), NOTHING
    )


FUNCTIONS: dict[str, Builtin] = {
    "re.search": _found("search"), "re.match": _found("match"), "re.fullmatch": _found("fullmatch"),
    "re.findall": _findall, "re.finditer": _finditer, "re.split": _split,
    "re.sub": _replaced("sub"), "re.subn": _replaced("subn"), "re.escape": _escape, "re.compile": _compile,
}  # fmt: skip
"""The functions of `re`."""


def _of_pattern(builtin: Builtin) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        raw = unwrap(owner)
        if not isinstance(raw, RecordObject) or raw.type != PATTERN or {"pattern", "flags"} & set(named):
            raise misfit(machine, "a pattern's method", owner, *args, *named.values())
        return builtin(machine, (owner, *args), named)

    return method


# Matches


def _match_of(machine: Machine, owner: Value) -> MatchObject:
    raw = unwrap(owner)
    if not isinstance(raw, MatchObject):
        raise misfit(machine, "a match's method", owner)
    return raw


def _number(machine: Machine, owner: Value, key: Value | None) -> int:
    """The number of the group that a number or a name stands for.

    Raises:
        ProgramFailed: there is none.
    """
    match = _match_of(machine, owner)
    raw = 0 if key is None else unwrap(unmixed(key))
    number = match.names.get(raw, -1) if isinstance(raw, str) else raw
    if not isinstance(number, int) or not 0 <= number < len(match.groups):
        raise machine.failed("index", "the pattern has no such group", owner.label, label_of(machine, key))
    return number


def _group_value(machine: Machine, owner: Value, number: int, *keys: Value | None) -> Value:
    group = _match_of(machine, owner).groups[number]
    return make(unwrap(group), construct(owner.label, group.label, label_of(machine, *keys)))


def _group(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    note_held(machine, *args, *named.values())
    if named:
        raise misfit(machine, "group", owner, *args, *named.values())
    machine.spend_elements(len(args))
    found = [_group_value(machine, owner, _number(machine, owner, key), key) for key in args or (make(0, NOTHING),)]
    return found[0] if len(found) == 1 else make(TupleObject(found, construct(owner.label)), NOTHING)


def _groups(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (default,) = bind(machine, "groups", "default?", args, named)
    found = _with_default(machine, owner, default, range(1, len(_match_of(machine, owner).groups)))
    return make(TupleObject(found, construct(owner.label)), NOTHING)


def _groupdict(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (default,) = bind(machine, "groupdict", "default?", args, named)
    names, label = _match_of(machine, owner).names, construct(owner.label)
    found = _with_default(machine, owner, default, names.values())
    made = DictObject(label)
    entries = [Entry(make(name, label), value) for name, value in zip(names, found, strict=True)]
    made.entries = {key_of(entry.key): entry for entry in entries}
    return make(made, NOTHING)


def _with_default(machine: Machine, owner: Value, default: Value | None, numbers: Collection[int]) -> list[Value]:
    """Some groups; for one that took no part the default, whose label is in all of them."""
    if default is not None and isinstance(unwrap(default), Container):
        raise misfit(machine, "groups", owner, default)
    machine.spend_elements(len(numbers))
    found = [_group_value(machine, owner, number, default) for number in numbers]
    return [
        make(unwrap(default), value.label) if default is not None and unwrap(value) is None else value
        for value in found
    ]


def _place(name: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        (key,) = bind(machine, name, "group?", args, named)
        start, end = _match_of(machine, owner).spans[_number(machine, owner, key)]
        label = construct(owner.label, label_of(machine, key))
        if name == "span":
            return make(TupleObject([make(start, label), make(end, label)], label), NOTHING)
        return make(start if name == "start" else end, label)

    return method


METHODS: dict[tuple[str, str], Method] = {
    ("match", "group"): _group,
    ("match", "groups"): _groups,
    ("match", "groupdict"): _groupdict,
    **{("match", name): _place(name) for name in ("start", "end", "span")},
    **{
        (PATTERN.name, name): _of_pattern(FUNCTIONS[f"re.{name}"])
        for name in ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
    },
}
"""The methods of matches and of compiled patterns."""

CONSTANTS: dict[str, Raw] = {
    "re.NOFLAG": 0,
    "re.IGNORECASE": flags_of.IGNORECASE, "re.I": flags_of.IGNORECASE,
    "re.MULTILINE": flags_of.MULTILINE, "re.M": flags_of.MULTILINE,
    "re.DOTALL": flags_of.DOTALL, "re.S": flags_of.DOTALL,
    "re.VERBOSE": flags_of.VERBOSE, "re.X": flags_of.VERBOSE,
    "re.ASCII": flags_of.ASCII, "re.A": flags_of.ASCII,
    "re.UNICODE": flags_of.UNICODE, "re.U": flags_of.UNICODE,
}  # fmt: skip
"""The flags, as whole numbers; `|` unites them."""
