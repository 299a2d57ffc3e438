"""Every node that Python's parser makes is in the language, and a case has it, or is refused by name; one that no Python has is refused."""

from __future__ import annotations

import _ast
import ast
from dataclasses import fields
from pathlib import Path

import pytest
from tests.language.test_refusals import REFUSED
from tests.language.world import World

from armslength.errors import ProgramFailed, ProgramRefused
from armslength.labels import LITERAL
from armslength.language import _TABLES, Limits, prepare
from armslength.language.machine import Machine
from armslength.language.operations.comparing import compare
from armslength.language.operations.operators import binary, unary
from armslength.language.reading.syntax import _CHECKERS, _PLAIN, _SIGNS, below, check_nodes
from armslength.language.reading.trees import children, signs
from armslength.language.running.compiler import Compiler, Tables
from armslength.language.running.matching import compile_pattern
from armslength.language.running.targets import compile_target
from armslength.values import make

OTHER_MODES = frozenset({"Interactive", "Expression", "FunctionType", "TypeIgnore"})
"""What only other ways of parsing make: a line at a prompt, one expression, comments with types."""
MADE = {
    name: node
    for name, node in vars(_ast).items()
    if isinstance(node, type) and issubclass(node, ast.AST) and not node.__subclasses__() and name not in OTHER_MODES
}
CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))
IN_CASES = {type(node) for path in CASES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))}

BY_NAME = {
    "AsyncFor": ("async for x in y: pass", "async"),
    "AsyncFunctionDef": ("async def f(): pass", "async"),
    "AsyncWith": ("async with x: pass", "async"),
    "Await": ("await x", "await"),
    "Global": ("global x", "global"),
    "MatMult": ("x = 1 @ 2", "@"),
    "TryStar": ("try:\n    pass\nexcept* ValueError:\n    pass", "except*"),
    "With": ("with open('a') as f: pass", "with"),
    "Yield": ("yield 1", "yield"),
    "YieldFrom": ("def f():\n    yield from [1]", "yield"),
    "withitem": ("with open('a') as f: pass", "with"),
}
LATER = {
    "TypeAlias": ("type X = int", "TypeAlias"),
    "TypeVar": ("def f[T](): pass", "type parameters"),
    "ParamSpec": ("def f[**P](): pass", "type parameters"),
    "TypeVarTuple": ("def f[*T](): pass", "type parameters"),
    "TemplateStr": ("x = t'a'", "TemplateStr"),
    "Interpolation": ("x = t'{1}'", "TemplateStr"),
}
"""What Pythons after 3.11 have in addition."""


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_node_is_in_a_case_or_refused_by_name(name: str) -> None:
    """There is no third kind."""
    if MADE[name] in IN_CASES:
        assert name not in BY_NAME
        return
    source, word = {**BY_NAME, **LATER}[name]
    assert MADE[name] in {type(node) for node in ast.walk(ast.parse(source))}
    with pytest.raises(ProgramRefused) as refused:
        prepare(source, ())
    assert refused.value.reason.startswith(f"{word} ")
    assert refused.value.instead
    assert name in LATER or (source, str(refused.value)) in REFUSED


def test_what_the_parser_is_allowed_is_in_a_case() -> None:
    """Each type of node on the allow-list has a program that CPython runs with the same result."""
    assert {node.__name__ for node in {*_PLAIN, *_SIGNS, *_CHECKERS}} - {node.__name__ for node in IN_CASES} == set()
    compiled = {node for table in fields(Tables) for node in getattr(_TABLES, table.name)}
    assert {node.__name__ for node in compiled} <= {node.__name__ for node in {*_PLAIN, *_CHECKERS}}


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_nothing_is_passed_over(path: Path) -> None:
    """What is below a node is what Python lists there, once and in its order; only what a name stands there for is left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        listed = [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr_context)]
        assert [each for each in listed if each not in signs(node)] == list(children(node))
        assert {id(each) for each in listed} == {id(each) for each in (*children(node), *signs(node))}
        assert below(node) is below(node)


class Invented(ast.expr):
    """An expression that no Python has."""


class InventedStatement(ast.stmt):
    """A statement that no Python has."""


class InventedPattern(ast.pattern):
    """A pattern that no Python has."""


class InventedOperator(ast.operator):
    """An operator that no Python has."""


class InventedComparison(ast.cmpop):
    """A comparison that no Python has."""


class InventedSign(ast.unaryop):
    """A sign that no Python has."""


ONE = ast.Constant(1, lineno=3)
INVENTED = [
    (Invented(lineno=3), "Invented"),
    (InventedStatement(lineno=3), "InventedStatement"),
    (InventedPattern(lineno=3), "InventedPattern"),
    (ast.Expr(ast.List([Invented(lineno=3)], ast.Load(), lineno=3), lineno=3), "Invented"),
    (ast.If(ONE, [InventedStatement(lineno=3)], [], lineno=3), "InventedStatement"),
    (ast.Lambda(ast.parse("lambda: 1", mode="eval").body.args, Invented(lineno=3), lineno=3), "Invented"),
    (ast.Match(ONE, [ast.match_case(InventedPattern(lineno=3), None, [])], lineno=3), "InventedPattern"),
    (ast.Call(ast.Name("f", ast.Load(), lineno=3), [], [ast.keyword("k", Invented(lineno=3))], lineno=3), "Invented"),
]


@pytest.mark.parametrize(("node", "name"), INVENTED)
def test_an_invented_node_is_refused_when_read(node: ast.AST, name: str) -> None:
    """The allow-list of `syntax` has no way round it, at the top or inside."""
    with pytest.raises(ProgramRefused) as refused:
        check_nodes(node)
    assert str(refused.value) == f"line 3: {name} is not part of the language; write it with simpler statements"


@pytest.mark.parametrize(
    "node",
    [
        ast.BinOp(ONE, InventedOperator(), ONE, lineno=3),
        ast.AugAssign(ast.Name("x", ast.Store(), lineno=3), InventedOperator(), ONE, lineno=3),
        ast.Compare(ONE, [InventedComparison()], [ONE], lineno=3),
        ast.UnaryOp(InventedSign(), ONE, lineno=3),
    ],
)
def test_an_invented_operator_is_refused_when_read(node: ast.AST) -> None:
    """Operators are nodes as well; they stand at no line of their own, and are refused at that of what they stand in."""
    with pytest.raises(ProgramRefused) as refused:
        check_nodes(node)
    assert str(refused.value).startswith("line 3: Invented")


def compiler() -> Compiler:
    """A compiler of an empty program."""
    return Compiler(Machine(prepare("x = 1", ()), World(), Limits()), _TABLES)


def test_an_invented_node_is_refused_when_compiled() -> None:
    """Should a node pass the first list, the tables of expressions, statements, patterns and targets refuse it again."""
    compiled = compiler()
    for compile_node, node in [
        (compiled.expression, Invented(lineno=4)),
        (lambda node: compiled.block([node]), InventedStatement(lineno=4)),
        (lambda node: compile_pattern(compiled, node), InventedPattern(lineno=4)),
    ]:
        with pytest.raises(ProgramRefused) as refused:
            compile_node(node)
        name = type(node).__name__
        assert str(refused.value) == f"line 4: {name} is not part of the language; write it with simpler statements"
    with pytest.raises(ProgramRefused) as refused:
        compile_target(compiled, Invented(lineno=4))
    assert str(refused.value) == "line 4: this cannot be assigned to; assign to a name"


def test_an_invented_operator_gives_no_value() -> None:
    """Behind both lists stand the tables of operators, in which it is not: whatever comes of it, it is no value."""
    machine, one = compiler().machine, make(1, LITERAL)
    with pytest.raises((ProgramFailed, KeyError, TypeError)):
        binary(machine, InventedOperator(), one, one)
    with pytest.raises((ProgramFailed, KeyError, TypeError)):
        compare(machine, InventedComparison(), one, one)
    with pytest.raises((ProgramFailed, KeyError, TypeError)):
        unary(machine, InventedSign(), one)
