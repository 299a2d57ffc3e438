"""Labels of expressions before a run: for each an upper bound, in which each kind of source is one source.

The label algebra is that of a run (`labels`); what is not known before it is taken as the worst. A container has one label for all that
is in it, and all choice at once is as many bits as there can be. Nothing here depends on anything but program text and declarations.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from armslength.labels import (
    LITERAL,
    NOTHING,
    QUARANTINED,
    SATURATED,
    Label,
    Source,
    bits_for,
    construct,
    join,
    label,
    made_of,
    picking,
    steered,
    steering,
    tested,
)
from armslength.language.reading.syntax import returned_type
from armslength.schema import (
    ANY,
    NONE,
    STR,
    ListOf,
    Menu,
    OptionalOf,
    Origin,
    RecordType,
    Scalar,
    Signature,
    Type,
    menu_size,
)

FUNCTION = Source("function", is_trusted=True)
"""Marks what may hold a function. A test drops it, as it drops all data."""
UNKNOWN = label([Source("tool")])
"""Whatever this module does not know: somebody else's."""
TESTS = frozenset({"isinstance", "any", "all", "bool", "callable"})
TEST_METHODS = frozenset({
    "startswith", "endswith", "isdigit", "isalpha", "isalnum", "isnumeric", "isdecimal", "isspace", "islower", "isupper", "istitle",
    "isdisjoint", "issubset", "issuperset", "isidentifier", "isascii", "isprintable",
})  # fmt: skip
SILENT = frozenset({"answer", "print", "reveal"})
"""Functions that give None."""


@dataclass(slots=True)
class Outlook:
    """What is known so far of each name. `names` grows until nothing changes; a name that is not in it is no variable."""

    signatures: Mapping[str, Signature]
    returns: Mapping[ast.AST, Type]
    type_of: Callable[[ast.expr], Type | None]
    functions: frozenset[str]
    names: dict[str, Label] = field(default_factory=dict)

    def of(self, node: ast.expr) -> Label:
        """The label of what the expression gives."""
        match node:
            case ast.Constant():
                return LITERAL
            case ast.Name(id=name):
                return self.names.get(name, label([FUNCTION]))
            case ast.Lambda(body=body):
                return join(self.of(body), label([FUNCTION]))
            case ast.Attribute(value=ast.Name(id=name)) if name not in self.names:
                return LITERAL
            case ast.Attribute(value=owner):
                return _read(self.of(owner))
            case ast.Subscript(value=owner, slice=index):
                return self._element(owner, index)
            case ast.Call():
                return self._call(node)
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.FormattedValue(value=value):
                return self.of(value)
            case ast.IfExp() | ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return self._decided(node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node)
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                return joined(self.of(child) for child in expressions(node))
            case ast.BinOp() | ast.UnaryOp() | ast.JoinedStr():
                return construct(*(self.whole(child) for child in expressions(node)))
            case _:
                return construct(UNKNOWN, *(self.whole(child) for child in expressions(node)))

    def whole(self, node: ast.expr) -> Label:
        """The label of all that is in it, used at once: of a container with as many elements as there may be."""
        return self.of(node) if is_scalar(self.type_of(node)) else several(self.of(node))

    def decided_by(self, node: ast.expr, bits: int) -> Label:
        """What the expression hands to all that it decides."""
        return deciding(self.of(node), bits)

    def _decided(self, node: ast.expr) -> Label:
        """Rows "test" and "select": a bit for each operand that decided."""
        match node:
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return steered(join(self.of(body), self.of(orelse)), self.decided_by(test, 1))
            case ast.BoolOp(values=values):
                found = joined(self.of(value) for value in values)
                for value in values:
                    found = steered(found, self.decided_by(value, 1))
                return found
            case ast.Compare(left=left, comparators=others):
                return construct(*(_tested(self.of(left), self.of(other)) for other in others))
            case _:
                return construct(*(_tested(self.of(child)) for child in expressions(node)))

    def _element(self, owner: ast.expr, index: ast.expr) -> Label:
        if isinstance(index, ast.Slice):
            bounds = [bound for bound in (index.lower, index.upper, index.step) if bound is not None]
            return construct(self.whole(owner), *(self.whole(bound) for bound in bounds))
        found = steered(_read(self.of(owner)), self.decided_by(index, SATURATED))
        known = self.type_of(owner)
        return found if isinstance(known, ListOf | RecordType) else construct(found, self.whole(index))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Label:
        elements = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        shape = NOTHING
        for generator in node.generators:
            deciding = (generator.iter, *generator.ifs)
            shape = construct(shape, *(self.decided_by(each, SATURATED) for each in deciding))
            shape = construct(shape, several(self.of(generator.iter)))
        return joined((shape, *(self.of(element) for element in elements)))

    # Calls

    def _call(self, node: ast.Call) -> Label:
        given = list(arguments(node))
        match node.func:
            case ast.Name(id="quarantined"):
                return self._quarantined(node, given)
            case ast.Name(id=name) if name in self.signatures:
                return self._tool(self.signatures[name], given)
            case ast.Name(id=name) if name in SILENT:
                return LITERAL
            case ast.Name(id=name) if name in TESTS:
                return _tested(*(self._given(each) for each in given))
            case ast.Name(id=name) if name in self.functions:
                return self.names.get(returned(name), NOTHING)
            case ast.Name(id=name) if name not in self.names:
                return construct(*(self._given(each) for each in given))
            case ast.Attribute(value=owner, attr=method):
                parts = [self._owner(owner), *(self._given(each) for each in given)]
                return _tested(*parts) if method in TEST_METHODS else construct(*parts)
            case function:
                parts = [several(self.of(function)), *(self.whole(each) for each in given)]
                return construct(self.names.get(RETURNED, NOTHING), *parts)

    def _owner(self, owner: ast.expr) -> Label:
        is_library = isinstance(owner, ast.Name) and owner.id not in self.names
        return NOTHING if is_library else self.whole(owner)

    def _given(self, node: ast.expr) -> Label:
        """An argument of a function of the language: of a function it is what that gives, which is all that comes out."""
        match node:
            case ast.Lambda(body=body):
                return several(self.of(body))
            case ast.Name(id=name) if name in self.functions:
                return several(self.names.get(returned(name), NOTHING))
            case ast.Name(id=name) if name not in self.names:
                return NOTHING
            case _:
                return self.whole(node)

    def _tool(self, signature: Signature, given: list[ast.expr]) -> Label:
        if signature.returns == NONE:
            return LITERAL
        return construct(from_origin(signature.origin), *(self.whole(each) for each in given))

    def _quarantined(self, node: ast.Call, given: list[ast.expr]) -> Label:
        """Rows "quarantined": a menu is steered by all inputs, everything else is made of them."""
        inputs = construct(*(several(self.of(each)) for each in given))
        sources = inputs.data | inputs.choice | {QUARANTINED}
        size = menu_size(self.returns.get(node, STR))
        sources -= {FUNCTION}
        return label(sources, intact=False) if size is None else label(choice=sources, bits=bits_for(size))


RETURNED = "return *"
"""The name under which what functions give stands that may be called under any name."""


def returned(function: str) -> str:
    """The name under which what a function gives stands; no identifier."""
    return f"return {function}"


def handed(function: str) -> str:
    """The name under which what is handed to a function stands; no identifier."""
    return f"handed {function}"


def from_origin(origin: Origin) -> Label:
    """The label of what a tool of this origin gives."""
    return label([Source(origin.kind, is_trusted=origin.is_trusted)])


def several(given: Label) -> Label:
    """All of many things with this label: choice is as many bits as there can be, and so counts as data."""
    return made_of(given) if given.is_trusted else label(given.data, choice=given.choice, bits=SATURATED, intact=False)


def joined(labels: Iterable[Label]) -> Label:
    """The least upper bound of all."""
    found = NOTHING
    for each in labels:
        found = join(found, each)
    return found


def _read(container: Label) -> Label:
    """An element read through reference and shape, all of one label."""
    return steered(container, picking(_without_function(container)))


def deciding(given: Label, bits: int) -> Label:
    """What something with this label hands to what it decides. That it may hold a function is no source of anything."""
    return steering(_without_function(given), bits)


def _tested(*operands: Label) -> Label:
    return tested(*map(_without_function, operands))


def _without_function(given: Label) -> Label:
    if FUNCTION not in given.data:
        return given
    return label(given.data - {FUNCTION}, choice=given.choice, bits=given.bits, intact=given.intact)


def is_scalar(declared: Type | None) -> bool:
    """Whether a value of this type holds no other."""
    match declared:
        case OptionalOf(inner):
            return is_scalar(inner)
        case Menu():
            return True
        case _:
            return isinstance(declared, Scalar) and declared != ANY


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions directly below, through what is none itself (comparators, formatted parts, keywords)."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif not isinstance(child, ast.stmt):
            yield from expressions(child)


def arguments(node: ast.Call) -> Iterator[ast.expr]:
    """The arguments that are evaluated: no type after `returns=`, no type of `isinstance`."""
    is_test = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
    for given in node.args[:1] if is_test else node.args:
        yield given.value if isinstance(given, ast.Starred) else given
    for keyword in node.keywords:
        if keyword.value is not returned_type(node):
            yield keyword.value
