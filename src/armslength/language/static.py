"""What can be known of a program before it runs.

For each node: W, the names it may assign; N, the names it mentions; E, how it may escape (design, "Control flow", rule 1). And a check
of names and calls against the tools' declarations, whose errors are a function of program text and declarations alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from armslength.errors import ProgramRefused
from armslength.language.binding import unsure_names
from armslength.language.classes import read_class, read_kinds, read_type
from armslength.language.syntax import Program, refuse, returned_type
from armslength.schema import Parameter, RecordType, Signature, Type

BREAK, CONTINUE, RAISE = "break", "continue", "raise"


@dataclass(frozen=True, slots=True)
class Effects:
    """W, N and E of a node, under the design's names."""

    writes: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    escapes: frozenset[str] = frozenset()


def _union(effects: Sequence[Effects]) -> Effects:
    """Of nodes that may all run."""
    nothing: frozenset[str] = frozenset()
    return Effects(
        nothing.union(*(each.writes for each in effects)),
        nothing.union(*(each.mentions for each in effects)),
        nothing.union(*(each.escapes for each in effects)),
    )


_CANNOT_RAISE = (
    ast.Constant, ast.Name, ast.Tuple, ast.List, ast.BoolOp, ast.IfExp, ast.JoinedStr, ast.FormattedValue,
    ast.expr_context, ast.boolop, ast.unaryop, ast.operator, ast.cmpop, ast.Expr, ast.If, ast.Pass, ast.Break, ast.Continue,
)  # fmt: skip
"""Every other operation may raise on some operands. Of names, those that may be unbound (`binding`) may."""


@dataclass(slots=True)
class Analysis:
    """The program with W, N and E of every node, its schema classes, and the types its calls name."""

    program: Program
    signatures: Mapping[str, Signature]
    classes: dict[str, RecordType] = field(default_factory=dict)
    returns: dict[ast.Call, Type] = field(default_factory=dict)
    kinds: dict[ast.Call, frozenset[str]] = field(default_factory=dict)
    effects: dict[ast.AST, Effects] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """The names of the language's own functions and methods."""

    functions: AbstractSet[str]
    methods: AbstractSet[str]


def analyse(program: Program, signatures: Sequence[Signature], known: Known) -> Analysis:
    """Check a program and compute W, N and E of its nodes.

    Raises:
        ProgramRefused: an unknown function, method, tool, argument or name; a wrong place for `break` or a class.
    """
    analysis = Analysis(program, {signature.name: signature for signature in signatures})
    for statement in program.body:
        if isinstance(statement, ast.ClassDef):
            if statement.name in analysis.classes:
                raise refuse(statement, f"the class {statement.name} stands here twice", "choose another name")
            analysis.classes[statement.name] = read_class(statement, analysis.classes)
    checker = _Checker(analysis, known)
    for statement in program.body:
        checker.check(statement, in_loop=False)
    unsure = unsure_names(program.body, below)
    for statement in program.body:
        _compute(statement, analysis.effects, unsure)
    return analysis


def below(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly below that are evaluated: not the types in `returns=` and `isinstance`, not annotations."""
    match node:
        case ast.ClassDef():
            return iter(())
        case ast.AnnAssign(target=target, value=value):
            return iter([target] if value is None else [target, value])
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, _]):
            return iter([subject])
        case ast.Call(func=func, args=args, keywords=keywords) as call:
            called = [] if isinstance(func, ast.Name) else [func]
            named = [keyword.value for keyword in keywords if keyword.value is not returned_type(call)]
            return iter([*called, *args, *named])
        case ast.Raise(exc=ast.Call(args=args)):
            return iter(args)
        case ast.Raise():
            return iter(())
        case _:
            return ast.iter_child_nodes(node)


def _compute(node: ast.AST, found: dict[ast.AST, Effects], unsure: AbstractSet[ast.AST]) -> Effects:
    total = _union([_compute(child, found, unsure) for child in below(node)])
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            total = Effects(total.writes | {name}, total.mentions | {name}, total.escapes)
        case ast.Name(id=name):
            total = Effects(total.writes, total.mentions | {name}, total.escapes)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            total = Effects(frozenset(), total.mentions, total.escapes | {RAISE})
        case ast.For():
            total = Effects(total.writes, total.mentions, (total.escapes - {BREAK, CONTINUE}) | {RAISE})
        case ast.Break():
            total = Effects(total.writes, total.mentions, total.escapes | {BREAK})
        case ast.Continue():
            total = Effects(total.writes, total.mentions, total.escapes | {CONTINUE})
    if node in unsure or not _cannot_raise(node):
        total = Effects(total.writes, total.mentions, total.escapes | {RAISE})
    found[node] = total
    return total


def _cannot_raise(node: ast.AST) -> bool:
    match node:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=ops):
            return all(isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) for op in ops)
        case ast.FormattedValue(format_spec=spec):
            return spec is None
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Name) for target in targets)
        case ast.AnnAssign():
            return True
        case _:
            return isinstance(node, _CANNOT_RAISE)


class _Checker:
    """Names, calls and places."""

    def __init__(self, analysis: Analysis, known: Known) -> None:
        self._analysis, self._functions, self._methods = analysis, known.functions, known.methods
        self._assigned = {
            node.id
            for statement in analysis.program.body
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    def check(self, node: ast.AST, *, in_loop: bool) -> None:
        match node:
            case ast.ClassDef() if node not in self._analysis.program.body:
                raise refuse(node, "a class stands at the top of the program", "move it there")
            case ast.ClassDef(name=name) if name in self._functions or name in self._analysis.signatures:
                raise refuse(node, f"{name} is a function already", "choose another name for the class")
            case ast.Break() | ast.Continue() if not in_loop:
                raise refuse(node, "break and continue stand in a loop", "use if")
            case ast.Name(id=name, ctx=ast.Load()) if name not in self._assigned:
                raise self._unknown(node, name)
            case ast.Call():
                self._check_call(node)
            case _:
                pass
        for child in below(node):
            self.check(child, in_loop=in_loop or isinstance(node, ast.For))

    def _unknown(self, node: ast.AST, name: str) -> ProgramRefused:
        if name in self._functions or name in self._analysis.signatures or name in self._analysis.classes:
            return refuse(node, f"{name} is a function and can only be called", f"write {name}(...)")
        return refuse(node, f"the name {name} is never assigned", "assign it first, or write the text in quotes")

    def _check_call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self._check_method(node, node.func.attr)
            return
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "isinstance":
            if len(node.args) != 2 or node.keywords:
                raise refuse(node, "isinstance takes a value and a type", "write isinstance(x, str)")
            self._analysis.kinds[node] = read_kinds(node.args[1], self._analysis.classes)
        if name in ("answer", "print") and node.keywords:
            raise refuse(node, f"{name} takes no named arguments", "put the text together with an f-string or join")
        returns = returned_type(node)
        if returns is not None:
            self._analysis.returns[node] = read_type(returns, self._analysis.classes)
        if name in self._analysis.signatures:
            _check_arguments(node, name, self._analysis.signatures[name].parameters)
        elif name in self._analysis.classes:
            fields = self._analysis.classes[name].fields
            _check_arguments(node, name, [Parameter(f.name, f.type, f.has_default) for f in fields])
        elif name not in self._functions:
            instead = _FUNCTIONS_INSTEAD.get(name, "use only the tools that are listed")
            raise refuse(node, f"there is no tool or function {name}", instead)

    def _check_method(self, node: ast.Call, name: str) -> None:
        if name not in self._methods:
            raise refuse(node, f"there is no method {name}", _METHODS_INSTEAD.get(name, "write it with a for loop"))


_FUNCTIONS_INSTEAD = {
    "map": "use a comprehension",
    "filter": "use a comprehension with if",
    "reversed": "write x[::-1]",
    "iter": "use a for loop",
    "next": "write x[0] after testing that x is not empty",
    "pow": "use **",
    "divmod": "use // and %",
    "repr": "write !r in an f-string",
    "format": "use an f-string",
    "type": "use isinstance",
    "frozenset": "use set",
    "getattr": "write x.field",
    "hasattr": "test the field with is not None",
    "open": "call a tool that reads files",
    "input": "the person cannot be asked while the program runs; use what the request says",
}
_METHODS_INSTEAD = {
    "format": "use an f-string",
    "format_map": "use an f-string",
    "encode": "use the text as it is",
    "translate": "use replace",
    "maketrans": "use replace",
    "expandtabs": "use replace",
    "remove": "build a new list with a comprehension",
    "discard": "build a new set with a comprehension",
    "popitem": "use pop with a key",
    "fromkeys": "use a dict comprehension",
    "union": "add the members in a for loop",
    "intersection": "use a comprehension with in",
    "difference": "use a comprehension with not in",
    "issubset": "use all(x in other for x in these)",
    "issuperset": "use all(x in these for x in other)",
}
"""What to write instead of Python's other methods."""


def _check_arguments(node: ast.Call, name: str, parameters: Sequence[Parameter]) -> None:
    names = [parameter.name for parameter in parameters]
    listed = f"{name}({', '.join(names)})"
    if len(node.args) > len(names):
        raise refuse(node, f"{name} takes at most {len(names)} arguments", f"call {listed}")
    given = names[: len(node.args)]
    for keyword in node.keywords:
        if keyword.arg not in names:
            raise refuse(node, f"{name} has no parameter {keyword.arg}", f"call {listed}")
        if keyword.arg in given:
            raise refuse(node, f"{name} gets {keyword.arg} twice", f"call {listed}")
        given.append(keyword.arg)
    for parameter in parameters:
        if not parameter.has_default and parameter.name not in given:
            raise refuse(node, f"{name} needs {parameter.name}", f"call {listed}")
