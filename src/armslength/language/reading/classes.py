"""Classes and types in program text: schema classes, enumerations, exceptions, `returns=`, `isinstance`.

Read from the syntax tree; nothing is evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from armslength.language.reading.refused import refuse
from armslength.language.reading.syntax import check_constant
from armslength.schema import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    Field,
    ListOf,
    Menu,
    MenuChoice,
    OptionalOf,
    RecordType,
    Type,
)

EXCEPTIONS: Mapping[str, str] = {
    "BaseException": "", "Exception": "BaseException",
    "ArithmeticError": "Exception", "ZeroDivisionError": "ArithmeticError", "OverflowError": "ArithmeticError",
    "AssertionError": "Exception", "AttributeError": "Exception", "LookupError": "Exception",
    "IndexError": "LookupError", "KeyError": "LookupError", "NameError": "Exception", "UnboundLocalError": "NameError", "RuntimeError": "Exception",
    "NotImplementedError": "RuntimeError", "StopIteration": "Exception", "TypeError": "Exception",
    "ValueError": "Exception", "PermissionError": "Exception", "TimeoutError": "Exception", "OSError": "Exception",
    "ConnectionError": "Exception", "FileNotFoundError": "Exception", "JSONDecodeError": "ValueError", "PatternError": "Exception",
}  # fmt: skip
"""The exceptions of the language, each with what it is a kind of. A tool or model that fails raises a RuntimeError."""


def exception_name(node: ast.expr | None) -> str:
    """The exception that an `except` names: `ValueError`, `json.JSONDecodeError`, `re.error`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="json"), attr=name):
            return name
        case ast.Attribute(value=ast.Name(id="re"), attr="error" | "PatternError"):
            return "PatternError"
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return f"{module}.{name}"
        case _:
            return "this"


@dataclass(frozen=True, slots=True)
class Enumeration:
    """An `Enum` of the program: its members' values by name.

    `is_mixed`: it is `str` or `int` as well. `shows_value`: the text of a member is its value's.
    """

    name: str
    members: Mapping[str, MenuChoice]
    is_mixed: bool
    shows_value: bool

    def menu(self) -> Menu:
        """The type whose answers are its members' values."""
        return Menu(tuple(self.members.values()), self.name)


@dataclass(slots=True)
class Classes:
    """What a program defines with `class`. `defaults` are computed whenever a record is made without the field."""

    records: dict[str, RecordType] = field(default_factory=dict)
    defaults: dict[str, dict[str, ast.expr]] = field(default_factory=dict)
    enumerations: dict[str, Enumeration] = field(default_factory=dict)
    exceptions: dict[str, str] = field(default_factory=lambda: dict(EXCEPTIONS))

    def has(self, name: str) -> bool:
        """Whether the program defines a class of that name."""
        return name in self.records or name in self.enumerations or (name in self.exceptions and name not in EXCEPTIONS)

    def is_kind_of(self, exception: str, other: str) -> bool:
        """Whether one exception is the other or a kind of it."""
        while exception:
            if exception == other:
                return True
            exception = self.exceptions.get(exception, "")
        return False

    def read(self, node: ast.ClassDef) -> None:
        """Take up a class of the program.

        Raises:
            ProgramRefused: it is no schema class, enumeration or exception.
        """
        if self.has(node.name):
            raise refuse(node, f"the class {node.name} stands here twice", "choose another name")
        if node.name in EXCEPTIONS:
            raise refuse(node, f"{node.name} is a class already", "choose another name")
        bases = [_plain_name(base) for base in node.bases]
        if any(base in self.exceptions for base in bases):
            self._read_exception(node, bases)
        elif any(base in _ENUMERATIONS for base in bases):
            self.enumerations[node.name] = _read_enumeration(node, bases)
        else:
            self._read_record(node, bases)

    def _read_exception(self, node: ast.ClassDef, bases: list[str]) -> None:
        for statement in node.body:
            if not _is_nothing(statement):
                raise refuse(statement, "an exception class has no body", "write pass, and raise it with a message")
        if len(bases) != 1:
            raise refuse(node, "an exception class has one base", "write class Name(Exception): pass")
        self.exceptions[node.name] = bases[0]

    def _read_record(self, node: ast.ClassDef, bases: list[str]) -> None:
        _check_decorators(node)
        fields: dict[str, Field] = {}
        defaults: dict[str, ast.expr] = {}
        for base in bases:
            if base in self.records:
                fields |= {each.name: each for each in self.records[base].fields}
                defaults |= self.defaults[base]
            elif base not in ("BaseModel", "object"):
                raise refuse(
                    node,
                    "a class may only be a schema, an Enum or an exception",
                    "write class Name(BaseModel): with annotated fields",
                )
        for statement in node.body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                    fields[name] = self._read_field(statement, name, annotation)
                    default = None if value is None else _default(value, self)
                    if default is not None:
                        defaults[name] = default
                        fields[name] = _with_default(fields[name], default)
                case _ if _is_nothing(statement):
                    continue
                case ast.FunctionDef():
                    raise refuse(statement, "a schema class has no methods", "write a function that takes the record")
                case _:
                    raise refuse(statement, "a schema class has annotated fields only", "write field: type")
        if not fields:
            raise refuse(node, "a schema class needs a field", "write field: type")
        self.records[node.name] = RecordType(node.name, tuple(fields.values()))
        self.defaults[node.name] = defaults

    def _read_field(self, node: ast.AnnAssign, name: str, annotation: ast.expr) -> Field:
        if name.startswith("_"):
            raise refuse(node, "a field of a schema class has no _ before its name", "rename the field")
        return Field(name, read_type(annotation, self))


def _is_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _check_decorators(node: ast.ClassDef) -> None:
    for decorator in node.decorator_list:
        match decorator:
            case ast.Name(id="dataclass") | ast.Call(func=ast.Name(id="dataclass"), args=[]):
                continue
            case ast.Attribute(value=ast.Name(id="dataclasses"), attr="dataclass"):
                continue
            case _:
                raise refuse(node, "decorators are not part of the language", "only @dataclass may stand here")


def _with_default(declared: Field, default: ast.expr) -> Field:
    value = default.value if isinstance(default, ast.Constant) else None
    return Field(declared.name, declared.type, True, value if isinstance(value, bool | int | float | str) else None)


def _default(node: ast.expr, classes: Classes) -> ast.expr | None:
    """The expression that gives a field's default, or None if `Field(...)` names none.

    Raises:
        ProgramRefused: it is not fixed.
    """
    match node:
        case ast.Call(func=ast.Name(id="Field" | "field"), args=args, keywords=keywords):
            given = [*args[:1], *(keyword.value for keyword in keywords if keyword.arg == "default")]
            made = [keyword.value for keyword in keywords if keyword.arg == "default_factory"]
            if made:
                return _factory(made[0], classes)
            if not given or (isinstance(given[0], ast.Constant) and given[0].value is Ellipsis):
                return None
            return _default(given[0], classes)
        case _:
            for part in ast.walk(node):
                _check_fixed(part, classes)
            return node


def _factory(node: ast.expr, classes: Classes) -> ast.expr:
    match node:
        case ast.Name(id="list" | "dict" | "set"):
            empty = {"list": ast.List([], ast.Load()), "dict": ast.Dict([], []), "set": None}[node.id]
            call = ast.Call(ast.Name("set", ast.Load()), [], [])
            return ast.fix_missing_locations(ast.copy_location(empty or call, node))
        case ast.Lambda(body=body):
            made = _default(body, classes)
            if made is not None:
                return made
    raise refuse(node, "default_factory takes list, dict, set or a lambda", "write field(default_factory=list)")


def _check_fixed(node: ast.AST, classes: Classes) -> None:
    match node:
        case ast.Constant():
            check_constant(node)
        case (
            ast.List()
            | ast.Tuple()
            | ast.Dict()
            | ast.Set()
            | ast.UnaryOp()
            | ast.Load()
            | ast.unaryop()
            | ast.keyword()
        ):
            return
        case ast.Attribute(value=ast.Name(id=name), attr=member) if name in classes.enumerations:
            if member not in classes.enumerations[name].members:
                raise refuse(node, f"{name} has no member {member}", f"its members are {_members(classes, name)}")
        case ast.Name(id=name) if name in classes.enumerations or name in classes.records or name == "set":
            return
        case ast.Call(func=ast.Name(id=name)) if name in classes.records or name == "set":
            return
        case _:
            raise refuse(node, "a default cannot be computed", "write a literal, [], {} or field(default_factory=list)")


def _members(classes: Classes, name: str) -> str:
    return ", ".join(classes.enumerations[name].members)


_ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum"})


def _read_enumeration(node: ast.ClassDef, bases: list[str]) -> Enumeration:
    if node.decorator_list:
        raise refuse(node, "decorators are not part of the language", "leave them out")
    if not set(bases) <= {*_ENUMERATIONS, "str", "int"}:
        raise refuse(node, "an enumeration has no other base", "write class Name(Enum):")
    members: dict[str, MenuChoice] = {}
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in members or name.startswith("_"):
                raise refuse(statement, "an enumeration names each member once, without _ before it", "rename it")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str() | int() as value) as literal):
                check_constant(literal)
                members[name] = value
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)) if _plain_name(func) == "auto":
                members[name] = _automatic(name, bases, list(members.values()))
            case _ if _is_nothing(statement):
                continue
            case _:
                raise refuse(statement, "an enumeration has members only", 'write NAME = "value"')
    if not members:
        raise refuse(node, "an enumeration needs a member", 'write NAME = "value"')
    if len(set(members.values())) != len(members):  # 1 and True are equal: to Python one member with two names
        raise refuse(node, "the members of an enumeration have different values", 'write NAME = "value"')
    shows_value = not {"StrEnum", "IntEnum"}.isdisjoint(bases)
    return Enumeration(node.name, members, bool(set(bases) - {"Enum"}), shows_value)


def _automatic(name: str, bases: Sequence[str], before: Sequence[MenuChoice]) -> MenuChoice:
    """What `auto()` gives: the next number, or for an enumeration that is text the name or the number as text."""
    if "StrEnum" in bases:
        return name.lower()
    numbers = [value for value in before if isinstance(value, int)]
    following = numbers[-1] + 1 if numbers else 1
    return str(len(before) + 1) if "str" in bases else following


def _plain_name(node: ast.expr) -> str:
    """A name, also one with its module before it: `Enum`, `enum.Enum`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="enum" | "pydantic" | "typing"), attr=name):
            return name
        case _:
            return ""


_SCALARS: dict[str, Type] = {"str": STR, "int": INT, "float": FLOAT, "bool": BOOL, "None": NONE}
_UNKNOWN = frozenset(
    {
        "dict",
        "Dict",
        "tuple",
        "Tuple",
        "set",
        "Set",
        "Any",
        "object",
        "datetime",
        "date",
        "time",
        "timedelta",
        "Callable",
    }
)
_WAY_OUT = "use str, int, float, bool, list[T], Optional[T], Literal[...], an Enum or a schema class"


def read_type(node: ast.expr, classes: Classes) -> Type:
    """The type that an expression names; `Any` for what no declared type speaks of (dict, datetime, ...).

    Raises:
        ProgramRefused: it names none.
    """
    match node:
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=str(text)) if text.isidentifier():
            return read_type(ast.copy_location(ast.Name(text), node), classes)
        case ast.Attribute(value=ast.Name(id="typing"), attr=name):
            return read_type(ast.copy_location(ast.Name(name), node), classes)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="typing"), attr=name), slice=inner):
            return read_type(ast.copy_location(ast.Subscript(ast.Name(name), inner), node), classes)
        case ast.Name(id=name) if name in _SCALARS:
            return _SCALARS[name]
        case ast.Name(id=name) if name in classes.records:
            return classes.records[name]
        case ast.Name(id=name) if name in classes.enumerations:
            return classes.enumerations[name].menu()
        case ast.Name(id="list" | "List"):
            return ListOf(STR)
        case ast.Subscript(value=ast.Name(id="list" | "List" | "Sequence"), slice=inner):
            return ListOf(read_type(inner, classes))
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _optional(read_type(inner, classes))
        case ast.Subscript(value=ast.Name(id="Union"), slice=ast.Tuple(elts=[inner, ast.Constant(value=None)])):
            return _optional(read_type(inner, classes))
        case ast.BinOp(left=inner, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _optional(read_type(inner, classes))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return _menu(inner)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) | ast.Attribute(attr=name) if name in _UNKNOWN:
            return ANY
        case ast.Dict(keys=keys, values=values) if keys:
            return _named_parts(node, keys, values, classes)
        case _:
            raise refuse(node, "this is no type", _WAY_OUT)


def read_returns(node: ast.expr, classes: Classes) -> Type:
    """The type after `returns=`.

    Raises:
        ProgramRefused: it is none that the quarantined model can answer in.
    """
    declared = read_type(node, classes)
    if any(each == ANY for each in _within(declared)):
        raise refuse(node, "the quarantined model cannot answer in this type", _WAY_OUT)
    return declared


def _within(declared: Type) -> Iterator[Type]:
    yield declared
    match declared:
        case ListOf(inner) | OptionalOf(inner):
            yield from _within(inner)
        case RecordType(fields=fields):
            for each in fields:
                yield from _within(each.type)


def _optional(inner: Type) -> Type:
    return inner if isinstance(inner, OptionalOf) or inner == NONE else OptionalOf(inner)


def _menu(node: ast.expr) -> Menu:
    listed = node.elts if isinstance(node, ast.Tuple) and node.elts else [node]
    choices: list[MenuChoice] = []
    for choice in listed:
        if not isinstance(choice, ast.Constant) or not isinstance(choice.value, str | int | bool):
            raise refuse(node, "Literal takes str, int and bool literals", 'write Literal["a", "b"]')
        check_constant(choice)
        if not any(type(known) is type(choice.value) and known == choice.value for known in choices):
            choices.append(choice.value)
    return Menu(tuple(choices))


def _named_parts(node: ast.expr, keys: list[ast.expr | None], values: list[ast.expr], classes: Classes) -> RecordType:
    fields: list[Field] = []
    for key, value in zip(keys, values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or not key.value.isidentifier():
            raise refuse(node, "a type of named parts has plain words as names", 'write {"name": str}')
        fields.append(Field(key.value, read_type(value, classes)))
    if len({field.name for field in fields}) != len(fields):
        raise refuse(node, "a type of named parts names each part once", "rename the part")
    return RecordType("dict", tuple(fields))


_KINDS = frozenset(
    {"str", "int", "float", "bool", "list", "tuple", "dict", "set", "datetime", "date", "time", "timedelta"}
)


def read_kinds(node: ast.expr, classes: Classes) -> frozenset[str]:
    """The kinds that the second argument of `isinstance` names.

    Raises:
        ProgramRefused: it names none.
    """
    match node:
        case ast.Name(id=name) if name in _KINDS or name in classes.exceptions or classes.has(name):
            return frozenset({name})
        case ast.Attribute(value=ast.Name(id="datetime"), attr=name) if name in _KINDS:
            return frozenset({name})
        case ast.Tuple(elts) if elts:
            return frozenset().union(*(read_kinds(part, classes) for part in elts))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return read_kinds(left, classes) | read_kinds(right, classes)
        case _:
            raise refuse(
                node,
                "isinstance takes a type, or a tuple of types",
                "use str, int, float, bool, list, tuple, dict, set or a class of the program",
            )
