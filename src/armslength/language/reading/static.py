"""What is checked of names and calls before a program runs. Its errors are a function of program text and declarations alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from armslength.errors import ProgramRefused
from armslength.language.reading import refused
from armslength.language.reading.binding import bindings, used_too_early
from armslength.language.reading.classes import EXCEPTIONS, Classes, exception_name, read_kinds, read_returns
from armslength.language.reading.effects import Effects, find_effects
from armslength.language.reading.naming import Known, Naming, is_only_for_types, read_imports
from armslength.language.reading.refused import refuse
from armslength.language.reading.scopes import Scopes, bound_name, defaults_of, resolve
from armslength.language.reading.slots import WHOLE, check_key, literal_of
from armslength.language.reading.syntax import Program, below, returned_type
from armslength.schema import Keyed, Parameter, Signature, Slot, Type


@dataclass(slots=True)
class Analysis:
    """The program with the variables it names, W, N and E of every node, its classes, and what its calls and names stand for.

    `returns`: the type that a call of `quarantined` names. `kinds`: what an `isinstance` asks for. `functions`: the path of the
    function or constant of the language that a node names. `variable_calls`: the names in calls that are variables. `kept`: names with
    a value before it begins, and their declared types. `calls`: W, N and E of a call of each function, in its own scope.
    """

    program: Program
    signatures: Mapping[str, Signature]
    scopes: Scopes
    naming: Naming
    kept: Mapping[str, Type | None]
    classes: Classes = field(default_factory=Classes)
    returns: dict[ast.AST, Type] = field(default_factory=dict)
    kinds: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    functions: dict[ast.AST, str] = field(default_factory=dict)
    variable_calls: set[ast.AST] = field(default_factory=set)
    effects: dict[ast.AST, Effects] = field(default_factory=dict)
    calls: dict[ast.AST, Effects] = field(default_factory=dict)
    bound_at_end: frozenset[str] = frozenset()
    unsure: AbstractSet[ast.AST] = frozenset()
    """The reads of names that may have no value there."""
    slots: AbstractSet[Slot] = frozenset()
    """What the program may set under a key of a tool."""
    called_slots: AbstractSet[Slot] = frozenset()
    """What calls of its functions may."""

    def slot_of(self, node: ast.Call) -> Slot | None:
        """What a call of a tool sets under a key, or the whole store that it changes, if it does."""
        keyed = self._keyed(node)
        if keyed is not None and keyed.sets:
            return self.slot(node, keyed)
        signature = None if node.func in self.variable_calls else self.signatures.get(_called(node))
        return None if signature is None or signature.changes is None else Slot(signature.changes, WHOLE)

    def slot(self, node: ast.Call, keyed: Keyed) -> Slot:
        """What the call reads or sets. Its key stands in it, which was checked."""
        key = literal_of(node, self.signatures[_called(node)], keyed.by)
        assert key is not None
        return Slot(keyed.store, key)

    def _keyed(self, node: ast.Call) -> Keyed | None:
        signature = None if node.func in self.variable_calls else self.signatures.get(_called(node))
        return None if signature is None else signature.keyed

    def may_stop(self, node: ast.Call) -> bool:
        """Whether a call may end in something that no `try` catches: it goes outside, or calls what it is given."""
        if any(keyword.arg == "key" for keyword in node.keywords):
            return True
        if node.func in self.functions:
            return self.functions[node.func] in _CALLING
        return not isinstance(node.func, ast.Attribute) or node.func.attr in _CALLING_METHODS


def analyse(
    program: Program, signatures: Sequence[Signature], known: Known, kept: Mapping[str, Type | None]
) -> Analysis:
    """Check a program and find what its names stand for and W, N and E of its nodes.

    Raises:
        ProgramRefused: an unknown function, tool, argument or name; a wrong place for `break`, `return` or a class.
    """
    scopes = resolve(program.body, kept)
    naming = Naming(scopes, known, dict(read_imports(program.body)))
    analysis = Analysis(program, {signature.name: signature for signature in signatures}, scopes, naming, kept)
    for statement in program.body:
        if isinstance(statement, ast.ClassDef):
            analysis.classes.read(statement)
    checker = _Checker(analysis)
    for statement in program.body:
        checker.check(statement, _Around())
    for defaults in analysis.classes.defaults.values():
        for default in defaults.values():
            checker.check(default, _Around())
    for name in used_too_early(program.body, scopes, kept):
        raise refuse(name, f"{name.id} is used before it has a value", "assign it first")
    bound = bindings(program.body, scopes, kept)
    found = find_effects(program.body, scopes, bound.unsure, analysis)
    analysis.effects, analysis.calls = found.nodes, found.calls
    analysis.slots = frozenset(slot for slot in found.slots if slot.key != WHOLE)
    analysis.called_slots = found.called_slots
    analysis.bound_at_end, analysis.unsure = bound.at_end, bound.unsure
    return analysis


_CALLING = frozenset({"map", "filter", "re.sub", "re.subn"})
"""Functions of the language that call what they are given, beside those with `key=`."""
_CALLING_METHODS = frozenset({"sub", "subn"})
"""Methods that do: those of a compiled pattern."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What is around a node: a loop, a function, a handler."""

    loop: bool = False
    function: bool = False
    handler: bool = False

    def inside(self, node: ast.AST) -> _Around:
        match node:
            case ast.FunctionDef() | ast.Lambda():
                return _Around(function=True)
            case ast.For() | ast.While():
                return _Around(True, self.function, self.handler)
            case ast.ExceptHandler():
                return _Around(self.loop, self.function, True)
            case _:
                return self


_ANOTHER_FUNCTION = "use another function, or write it in full"
_LIBRARY = frozenset({"datetime", "re", "math", "json"})
_TYPES = frozenset({"Match", "Pattern", "tzinfo"})
"""What is imported from the library for annotations only."""


class _Checker:
    """Names, calls and places."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis, self._known = analysis, analysis.naming.known
        self._variables, self._classes = analysis.scopes.variables, analysis.classes

    def check(self, node: ast.AST, around: _Around) -> None:
        if isinstance(node, ast.Constant):
            return
        self._check_place(node, around)
        self._check_binding(node)
        match node:
            case ast.Name(ctx=ast.Load()) if node not in self._variables:
                self._check_name(node)
            case ast.Attribute() if self._analysis.naming.path(node) is not None:
                self._check_path(node)
                return
            case ast.Call():
                self._check_call(node, around)
                return
            case ast.Subscript(value=ast.Name(id=name)) if name in self._classes.enumerations:
                self.check(node.slice, around)
                return
            case ast.Raise(exc=raised) if raised is not None:
                self._check_raised(node, raised)
                for argument in raised.args if isinstance(raised, ast.Call) else []:
                    self.check(argument, around)
                return
            case ast.ExceptHandler(type=kinds):
                self._check_caught(node, kinds)
            case ast.MatchClass():
                self._check_class_pattern(node)
            case ast.Delete(targets=targets):
                self._check_deleted(targets)
            case ast.ImportFrom(module=module, names=names):
                self._check_imported(node, module or "", [alias.name for alias in names])
            case _:
                pass
        inner, outside = around.inside(node), _outside(node)
        for child in below(node):
            self.check(child, around if child in outside else inner)

    def _check_place(self, node: ast.AST, around: _Around) -> None:
        match node:
            case ast.ClassDef() if node not in self._analysis.program.body:
                raise refuse(node, "a class stands at the top of the program", "move it there")
            case ast.Break() | ast.Continue() if not around.loop:
                raise refuse(node, "break and continue stand in a loop", "use if")
            case ast.Return() if not around.function:
                raise refuse(node, "return stands in a function", "assign to a name, or say it with answer(...)")
            case ast.Raise(exc=None) if not around.handler:
                raise refuse(node, "raise without an exception stands in except", 'write raise ValueError("why")')
            case _:
                return

    def _check_binding(self, node: ast.AST) -> None:
        """A function is not defined under the name of another, and a class not under that of a function."""
        match node:
            case ast.ClassDef(bases=[ast.Name(id="BaseException")]):
                raise _only_caught(node)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if self._is_function(name):
                raise refuse(node, f"{name} is a function already", "choose another name")
            case ast.FunctionDef(name=name) if self._classes.has(name) or name in EXCEPTIONS:
                raise refuse(node, f"{name} is a class already", "choose another name")
            case ast.Assign(targets=targets, value=ast.Lambda()):
                for target in targets:
                    if isinstance(target, ast.Name) and self._is_function(target.id):
                        raise refuse(node, f"{target.id} is a function already", "choose another name")
            case _:
                bound = bound_name(node)
                if bound in self._classes.records or bound in self._classes.enumerations:
                    raise refuse(node, f"{bound} is a class already", "choose another name")

    def _is_function(self, name: str) -> bool:
        return name in self._known.functions or name in self._known.forms or name in self._analysis.signatures

    # Names

    def _check_name(self, node: ast.Name) -> None:
        """A name that is no variable, as a value: a function of the language, a constant, or an enumeration to go through."""
        found = self._analysis.naming.function(node)
        if found is not None:
            self._analysis.functions[node] = found
        elif node.id not in self._classes.enumerations:
            raise self._unknown(node, node.id)

    def _unknown(self, node: ast.AST, name: str) -> ProgramRefused:
        if name in self._analysis.signatures or name in self._known.forms or self._classes.has(name):
            what = "class" if self._classes.has(name) else "tool" if name in self._analysis.signatures else "function"
            return refuse(node, f"{name} is a {what} and can only be called", f"write {name}(...)")
        if name in refused.FUNCTIONS:
            return refuse(node, f"{name} is not part of the language", refused.FUNCTIONS[name])
        if is_only_for_types(name):
            return refuse(node, f"{name} stands in class statements and annotations only", "leave it out")
        return refuse(node, f"the name {name} is never assigned", "assign it first, or write the text in quotes")

    def _check_path(self, node: ast.Attribute) -> None:
        """A dotted name that no variable is in."""
        found = self._analysis.naming.function(node)
        path = self._analysis.naming.path(node) or ""
        root, _, rest = path.partition(".")
        if found is not None:
            self._analysis.functions[node] = found
        elif root in self._classes.enumerations:
            self._check_member(node, root, rest)
        elif isinstance(node.value, ast.Name) and not self._is_module(root) and root not in self._known.functions:
            raise self._unknown(node, node.value.id)
        else:
            raise refuse(node, f"{path} is not part of the language", _ANOTHER_FUNCTION)

    def _check_imported(self, node: ast.ImportFrom, module: str, names: Sequence[str]) -> None:
        for name in names if module in _LIBRARY else ():
            path = f"{module}.{name}"
            is_known = self._known.find(path) is not None or self._is_module(path) or name in EXCEPTIONS
            if not is_known and name not in _TYPES:
                raise refuse(node, f"{path} is not part of the language", _ANOTHER_FUNCTION)

    def _is_module(self, path: str) -> bool:
        names = (*self._known.functions, *self._known.constants)
        return any(name.startswith((f"{path}.", f"datetime.{path}.")) for name in names)

    def _check_member(self, node: ast.Attribute, name: str, rest: str) -> None:
        members = self._classes.enumerations[name].members
        member, _, part = rest.partition(".")
        if member not in members or part not in ("", "name", "value"):
            raise refuse(node, f"{name} has no member {rest}", f"its members are {', '.join(members)}")

    # Calls

    def _check_call(self, node: ast.Call, around: _Around) -> None:
        func = node.func
        match func:
            case ast.Name(id=name) if self._calls_variable(func, name):
                self.check(func, around)
            case ast.Name(id=name):
                self._check_named_call(node, name)
            case ast.Attribute(value=owner):
                found = self._analysis.naming.function(func)
                if found is not None:
                    self._analysis.functions[func] = found
                elif self._analysis.naming.path(func) is not None and not self._is_member(owner):
                    self._check_path(func)
                else:
                    self.check(owner, around)
            case _:
                self.check(func, around)
        path = self._analysis.functions.get(func)
        if path in self._known.constants:
            written = ast.unparse(func)
            raise refuse(node, f"{written} is a constant and cannot be called", f"write {written}")
        if path is not None:
            self._check_pattern(node, path)
        returns = returned_type(node)
        if returns is not None:
            self._analysis.returns[node] = read_returns(returns, self._classes)
        for child in below(node):
            if child is not func:
                self.check(child, around)

    def _calls_variable(self, func: ast.Name, name: str) -> bool:
        """A variable is called, unless it is one of the program that has the name of a function: these names are apart."""
        if func not in self._variables or (func in self._analysis.scopes.of_program and self._is_function(name)):
            return False
        self._analysis.variable_calls.add(func)
        return True

    def _is_member(self, node: ast.expr) -> bool:
        path = self._analysis.naming.path(node) or ""
        return "." in path and path.partition(".")[0] in self._classes.enumerations

    def _check_named_call(self, node: ast.Call, name: str) -> None:
        if name == "isinstance":
            if len(node.args) != 2 or node.keywords:
                raise refuse(node, "isinstance takes a value and a type", "write isinstance(x, str)")
            self._analysis.kinds[node] = read_kinds(node.args[1], self._classes)
        elif name in ("answer", "print"):
            if node.keywords:
                raise refuse(node, f"{name} takes no named arguments", "put the text together with an f-string or join")
        elif name in self._analysis.signatures:
            _check_arguments(node, name, self._analysis.signatures[name].parameters)
            check_key(node, self._analysis.signatures[name])
        elif name in self._classes.records:
            fields = self._classes.records[name].fields
            _check_arguments(node, name, [Parameter(f.name, f.type, f.has_default) for f in fields], "field")
        elif name in self._classes.enumerations:
            if len(node.args) != 1 or node.keywords or _has_star(node):
                raise refuse(node, f"{name} takes the value of a member", f"write {name}(value)")
        elif name == "reveal" and _has_star(node):
            raise refuse(node, "reveal takes no * arguments", "reveal one value after the other")
        elif name not in self._known.forms:
            self._check_language_call(node, name)

    def _check_pattern(self, node: ast.Call, path: str) -> None:
        """A pattern that stands in the program is read now; with flags that are not fixed only where it is wrong under all."""
        match node.args:
            case [ast.Constant(value=str(pattern)), *_] if path.startswith("re.") and path != "re.escape":
                wrong = self._known.check_pattern(pattern, self._flags(node, path))
                if wrong is not None:
                    raise refuse(node, f"this is no pattern of the language: {wrong}", "")

    def _flags(self, node: ast.Call, path: str) -> int | None:
        named = [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
        place = {"re.compile": 1, "re.sub": 4, "re.subn": 4, "re.split": 3}.get(path, 2)
        given = named or node.args[place : place + 1]
        return self._flag(given[0]) if given else 0

    def _flag(self, node: ast.expr) -> int | None:
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                first, second = self._flag(left), self._flag(right)
                return None if first is None or second is None else first | second
            case ast.Constant(value=int(number)):
                return number
            case _:
                found = self._known.constants.get(self._analysis.naming.function(node) or "")
                return found if isinstance(found, int) else None

    def _check_language_call(self, node: ast.Call, name: str) -> None:
        """A variable of the program that has the name of a function does not hide it where it is called."""
        found = self._known.find(name) if node.func in self._variables else self._analysis.naming.function(node.func)
        if found is not None:
            self._analysis.functions[node.func] = found
        elif name == "BaseException":
            raise _only_caught(node)
        elif name in self._classes.exceptions:
            if node.keywords or _has_star(node):
                raise refuse(node, f"{name} takes its message alone", f'write {name}("what is wrong")')
        elif is_only_for_types(name):
            raise refuse(node, f"{name} stands in class statements and annotations only", "leave it out")
        else:
            instead = refused.FUNCTIONS.get(name, "use only the tools that are listed")
            raise refuse(node, f"there is no tool or function {name}", instead)

    # Exceptions and patterns

    def _check_raised(self, node: ast.Raise, raised: ast.expr) -> None:
        match raised:
            case ast.Call(func=ast.Name(id=name)) | ast.Name(id=name) if name == "BaseException":
                raise _only_caught(node)
            case ast.Call(func=ast.Name(id=name)) | ast.Name(id=name) if name in self._classes.exceptions:
                return
            case ast.Name() if raised in self._variables:
                return
            case ast.Call(func=ast.Name(id=name)) | ast.Name(id=name):
                raise refuse(
                    node, f"{name} is no exception of the language", "use ValueError, KeyError or RuntimeError"
                )
            case _:
                raise refuse(
                    node, "raise takes an exception with its message", 'write raise ValueError("what is wrong")'
                )

    def _check_caught(self, node: ast.ExceptHandler, kinds: ast.expr | None) -> None:
        """A handler takes the value of its name away at its end, which only its own scope sees."""
        variable = self._variables.get(node)
        if variable is not None and variable.depth:
            raise refuse(node, "a name of the function around cannot be what except assigns", "choose another name")
        for kind in kinds.elts if isinstance(kinds, ast.Tuple) else [kinds] if kinds is not None else []:
            name = exception_name(kind)
            if name not in self._classes.exceptions:
                raise refuse(
                    kind, f"{name} is no exception of the language", "use ValueError, KeyError, or Exception for all"
                )

    def _check_class_pattern(self, node: ast.MatchClass) -> None:
        name = node.cls.id if isinstance(node.cls, ast.Name) else ""
        record = self._classes.records.get(name)
        if record is None and name in self._classes.enumerations and not node.patterns and not node.kwd_attrs:
            return
        if record is None and name not in _PLAIN_PATTERNS:
            raise refuse(
                node, f"{name} is no class of the program", "use a schema class, str, int, float, bool, list or dict"
            )
        if record is None and (node.kwd_attrs or len(node.patterns) > 1):
            raise refuse(node, f"{name} takes one pattern", f"write case {name}(x):")
        if record is not None:
            names = [each.name for each in record.fields]
            for attr in node.kwd_attrs:
                if attr not in names:
                    raise refuse(node, f"{name} has no field {attr}", f"its fields are {', '.join(names)}")
            if len(node.patterns) > len(names):
                raise refuse(node, f"{name} has {_counted(names, 'field')}", f"its fields are {', '.join(names)}")

    def _check_deleted(self, targets: list[ast.expr]) -> None:
        for target in targets:
            variable = self._variables.get(target)
            if variable is not None and variable.depth:
                raise refuse(target, "a name of the function around cannot be deleted", "assign None to it")


_PLAIN_PATTERNS = frozenset({"str", "int", "float", "bool", "list", "tuple", "dict", "set"})


def _outside(node: ast.AST) -> Sequence[ast.AST]:
    """The parts of a loop that stand in its `else`, and of a function its defaults."""
    match node:
        case ast.For(orelse=orelse) | ast.While(orelse=orelse):
            return orelse
        case ast.FunctionDef() | ast.Lambda():
            return defaults_of(node)
        case _:
            return ()


def _counted(names: Sequence[str], what: str) -> str:
    return f"{len(names)} {what}" if len(names) == 1 else f"{len(names)} {what}s"


def _only_caught(node: ast.AST) -> ProgramRefused:
    """So `except Exception` takes whatever a program can raise."""
    return refuse(node, "BaseException stands after except only", "write Exception")


def _has_star(node: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in node.args)


def _check_arguments(node: ast.Call, name: str, parameters: Sequence[Parameter], what: str = "parameter") -> None:
    names = [parameter.name for parameter in parameters]
    listed = f"{name}({', '.join(names)})"
    if _has_star(node):
        raise refuse(node, f"{name} takes no * arguments", f"call {listed}")
    if len(node.args) > len(names):
        raise refuse(node, f"{name} takes at most {_counted(names, 'argument')}", f"call {listed}")
    given = names[: len(node.args)]
    for keyword in node.keywords:
        if keyword.arg not in names:
            raise refuse(node, f"{name} has no {what} {keyword.arg}", f"call {listed}")
        if keyword.arg in given:
            raise refuse(node, f"{name} gets {keyword.arg} twice", f"call {listed}")
        given.append(keyword.arg)
    for parameter in parameters:
        if not parameter.has_default and parameter.name not in given:
            raise refuse(node, f"{name} needs {parameter.name}", f"call {listed}")


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""
