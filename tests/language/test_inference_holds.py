"""What is inferred before a run holds in it: each value that any expression gives is one of the alternatives that were inferred for it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path

import pytest
from tests.language.world import SIGNATURES as SIGNATURES_OF_CASES
from tests.language.world import World as WorldOfCases
from tests.laws.programs import program
from tests.laws.world import SIGNATURES as SIGNATURES_OF_LAWS
from tests.laws.world import Inputs
from tests.laws.world import World as WorldOfLaws

from armslength.errors import ArmslengthError
from armslength.language import Analysis, Limits, prepare, run
from armslength.language.checking.alternatives import (
    Alternative,
    Builtin,
    Chosen,
    Defined,
    Given,
    Instance,
    Made,
    Member,
    Plain,
    plain_names,
)
from armslength.language.checking.facts import Facts
from armslength.language.checking.inference import declared_types
from armslength.language.running.compiler import Compiler, Evaluate
from armslength.schema import ListOf, RecordType
from armslength.values import (
    BuiltinObject,
    DictObject,
    ErrorObject,
    Frame,
    FunctionObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    unwrap,
)

CASES = sorted(Path(__file__).parent.glob("cases*/*.py"))
LAWS = range(120)
_KINDS = {ListObject: "list", TupleObject: "tuple", DictObject: "dict", SetObject: "set", IteratorObject: "iterator"}
_MOMENTS = (datetime, date, time, timedelta, timezone)


def admits(facts: Facts, alternative: Alternative, value: Value) -> bool:
    """Whether a value can be this alternative; its parts are looked at where they are read."""
    raw = unwrap(value)
    match raw, alternative:
        case ListObject(), Given(ListOf(), is_kept):
            return raw.is_frozen or is_kept
        case ((ListObject() | TupleObject() | DictObject() | SetObject() | IteratorObject()), Made(kind, _, arity)):
            return kind == _KINDS[type(raw)] and (arity is None or arity == len(raw.items))  # type: ignore[union-attr]
        case RecordObject(), Given(RecordType(name)) | Instance(RecordType(name)):
            return raw.type.name == name
        case MemberObject(), Member(name):
            return raw.enumeration == name
        case MatchObject(), Plain(name):
            return name == "match"
        case ErrorObject(), Plain(name):
            return name == "error"
        case FunctionObject(), Defined(node):
            return raw.code.name == getattr(node, "name", "lambda")
        case ((BuiltinObject() | MethodObject()), Builtin() | Plain("function")):
            return True
        case ((None | bool() | int() | float() | str()), Plain() | Chosen()):
            return type(raw).__name__.replace("NoneType", "None") in plain_names(alternative, facts.classes)
        case _, Plain(name):
            return isinstance(raw, _MOMENTS) and type(raw).__name__ == name
        case _:
            return False


class Watch:
    """Compares each expression's value with what was inferred; `seen` counts those of which something was known."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen = 0
        self.wrong: list[str] = []
        self._facts: dict[int, Facts] = {}
        self._written: set[ast.AST] = set()
        plain: Callable[[Compiler, ast.expr], Evaluate] = Compiler.expression

        def watched(compiler: Compiler, node: ast.expr) -> Evaluate:
            evaluate, facts = plain(compiler, node), self._of(compiler.analysis)

            def run_watched(frame: Frame) -> Value:
                value = evaluate(frame)
                self.look(facts, node, value)
                return value

            return run_watched

        monkeypatch.setattr(Compiler, "expression", watched)

    def _of(self, analysis: Analysis) -> Facts:
        if id(analysis) not in self._facts:
            self._facts = {id(analysis): declared_types(analysis, analysis.kept).facts}
            self._written = {node for statement in analysis.program.body for node in ast.walk(statement)}
        return self._facts[id(analysis)]

    def look(self, facts: Facts, node: ast.expr, value: Value) -> None:
        """Take note of a value that was not foreseen."""
        alternatives = facts.of(node)
        if alternatives is None or node not in self._written:
            return
        self.seen += 1
        if not any(admits(facts, each, value) for each in alternatives):
            self.wrong.append(f"line {node.lineno}: {ast.unparse(node)} gave {value!r}, not one of {alternatives}")


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.stem}-{path.stem}")
def test_every_value_of_a_case_was_foreseen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the programs that mean the same in Python."""
    watch = Watch(monkeypatch)
    run(prepare(path.read_text(encoding="utf-8"), SIGNATURES_OF_CASES), WorldOfCases())
    assert watch.wrong == []
    assert watch.seen > 0


@pytest.mark.parametrize("first", range(0, len(LAWS), 12))
def test_every_value_of_a_random_program_was_foreseen(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In random programs over random inputs, failed ones included up to where they failed."""
    watch = Watch(monkeypatch)
    for number in LAWS[first : first + 12]:
        analysis = prepare(program(number), SIGNATURES_OF_LAWS)
        inputs = Inputs(u=tuple((number + at) % 3 for at in range(6)), s=(number % 3, 1))
        try:
            run(analysis, WorldOfLaws(inputs), Limits(steps=20_000, size=500_000))
        except ArmslengthError:
            continue
        finally:
            assert watch.wrong == [], f"program {number}"
    assert watch.seen > 500
