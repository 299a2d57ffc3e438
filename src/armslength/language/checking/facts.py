"""What has been inferred so far, as slots that only grow: of expressions, of variables, and of the parts of what the program makes.

Whoever reads a slot is asked again when it grows, so all comes to rest after a number of steps that grows as the program does: a slot
holds a few alternatives and then is unknown. Where it is not known which container is changed, all containers of that kind are.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence

from armslength.language.checking.alternatives import (
    NEVER,
    NOTHING,
    TEXT,
    Alternatives,
    Builtin,
    Chosen,
    Defined,
    Given,
    Made,
    Plain,
    of_type,
    one,
    plain_names,
    united,
)
from armslength.language.reading.scopes import Function, parameters
from armslength.language.reading.static import Analysis
from armslength.schema import ListOf, Type

Slot = Hashable
_CHANGING = ("list", "dict", "set")


class Facts:
    """The slots of one program, and who reads them."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis, self.classes = analysis, analysis.classes
        self.names: dict[ast.AST, Slot] = {}
        """The slot of the variable that a node reads or binds."""
        self.returning: dict[ast.Return, Function] = {}
        self.functions: list[Function] = []
        self.steps = 0
        """How many units have been followed."""
        self.doubted: frozenset[str] = frozenset()
        """Paths whose kind the program asks for itself (`isinstance`, `match`): what they are may differ from branch to branch."""
        self._found: dict[Slot, Alternatives] = {}
        self._readers: dict[Slot, dict[ast.AST, None]] = {}
        self._waiting: deque[ast.AST] = deque()
        self._is_waiting: set[ast.AST] = set()
        self._are_loose = False
        self._at: ast.AST | None = None
        self._types: dict[tuple[int, bool], Alternatives] = {}

    # Slots

    def settle(self, units: Sequence[ast.AST], follow: Callable[[Facts, ast.AST], None]) -> None:
        """Follow each unit, and again whatever reads what has grown, until nothing does."""
        self._waiting.extend(units)
        self._is_waiting.update(units)
        while self._waiting:
            self._at = self._waiting.popleft()
            self._is_waiting.discard(self._at)
            self.steps += 1
            follow(self, self._at)
        self._at = None

    def read(self, slot: Slot) -> Alternatives:
        """What is known of a slot."""
        if self._at is not None:
            readers = self._readers.get(slot)
            if readers is None:
                readers = self._readers[slot] = {}
            readers[self._at] = None
        return self._found.get(slot, NEVER)

    def write(self, slot: Slot, alternatives: Alternatives) -> None:
        """Something else that may be there."""
        before = self._found.get(slot, NEVER)
        if before is None or alternatives is before:
            return
        after = united(before, alternatives)
        if after == before:
            return
        self._found[slot] = after
        for reader in self._readers.get(slot, ()):
            if reader not in self._is_waiting:
                self._is_waiting.add(reader)
                self._waiting.append(reader)

    def of(self, node: ast.expr) -> Alternatives:
        """What an expression gives; unknown if the program itself asks what it is."""
        if self.doubted and path_of(node) in self.doubted:
            return None
        return self.read(node)

    def of_type(self, declared: Type, *, is_kept: bool = False) -> Alternatives:
        """Of a value of a declared type."""
        key = (id(declared), is_kept)
        if key not in self._types:
            self._types[key] = of_type(declared, self.classes, is_kept=is_kept)
        return self._types[key]

    # Parts of containers

    def part(self, container: Made, which: Hashable) -> Alternatives:
        """A part of what the program makes: `item`, `key`, `value`, or the number of a tuple's element."""
        own = self.read(part_of(container.site, which))
        if container.kind not in _CHANGING:
            return own
        return united(own, self.read(("stray", container.kind, which)))

    def make(self, kind: str, site: object, **parts: Alternatives) -> Alternatives:
        """A new container with these parts."""
        for which, alternatives in parts.items():
            self.write(part_of(site, which), alternatives)
        return one(Made(kind, site))  # type: ignore[arg-type]  # one of the kinds

    def make_tuple(self, site: object, elements: Sequence[Alternatives]) -> Alternatives:
        """A tuple of so many elements."""
        for number, element in enumerate(elements):
            self.write(part_of(site, number), element)
        return one(Made("tuple", site, len(elements)))

    def items(self, alternatives: Alternatives) -> Alternatives:
        """What walking gives."""
        if alternatives is None:
            return None
        found: Alternatives = NEVER
        for each in alternatives:
            found = united(found, self._items(each))
        return found

    def _items(self, alternative: object) -> Alternatives:
        match alternative:
            case Made("dict"):
                return self.part(alternative, "key")
            case Made("tuple", arity=int(arity)):
                return united(*(self.part(alternative, number) for number in range(arity)))
            case Made():
                return self.part(alternative, "item")
            case Given(ListOf(item), is_kept):
                return self.kept_items(item) if is_kept else self.of_type(item)
            case Chosen() | Plain():
                return TEXT if "str" in plain_names(alternative, self.classes) else NEVER
            case _:
                return None

    def kept_items(self, item: Type) -> Alternatives:
        """Of a list that was there before: as declared, and what this program puts into any such list."""
        added = self.read(part_of("kept", "item"))
        return united(self.of_type(item, is_kept=True), added, self.read(("stray", "list", "item")))

    def insert(self, container: Alternatives, kinds: Sequence[str], **parts: Alternatives) -> None:
        """Put parts into containers of these kinds; if it is not known which, into any."""
        if container is None:
            for kind in kinds:
                for which, alternatives in parts.items():
                    self.write(("stray", kind, which), alternatives)
            return
        for each in container:
            if isinstance(each, Made) and each.kind in kinds:
                site = each.site
            elif isinstance(each, Given) and each.is_kept and "list" in kinds:
                site = "kept"
            else:
                continue
            for which, alternatives in parts.items():
                self.write(part_of(site, which), alternatives)

    def spoil(self, container: Alternatives) -> None:
        """Anything may be put into it."""
        self.insert(container, _CHANGING, item=None, key=None, value=None)

    def merge(self, site: object, given: Alternatives) -> None:
        """What a dict takes over from another, or from pairs."""
        for each in given if given is not None else (None,):
            if isinstance(each, Made) and each.kind == "dict":
                self.make("dict", site, key=self.part(each, "key"), value=self.part(each, "value"))
            else:
                self.make("dict", site, key=None, value=None)

    # Functions

    def loosen(self, *values: Alternatives) -> None:
        """Functions that are given away can be called with anything."""
        for alternatives in values:
            for each in alternatives or ():
                if isinstance(each, Defined):
                    self._loosen(each.node)

    def _loosen_all(self) -> None:
        if not self._are_loose:
            self._are_loose = True
            for node in self.functions:
                self._loosen(node)

    def _loosen(self, node: Function) -> None:
        for parameter in parameters(node):
            self.write(variable(node, parameter.arg), None)

    def apply(
        self, function: Alternatives, given: Sequence[Alternatives], named: Mapping[str, Alternatives], *, exact: bool
    ) -> Alternatives:
        """What a call gives. `exact`: how many arguments there are is known."""
        if function is None:
            self._loosen_all()
            return None
        found: Alternatives = NEVER
        for each in function:
            match each:
                case Defined(node):
                    self._bind(node, given, named, exact=exact)
                    found = united(found, self.result(node))
                case Builtin() | Plain("function"):
                    self.loosen(*given, *named.values())
                    found = None
                case _:
                    continue
        return found

    def result(self, node: Function) -> Alternatives:
        """What a function of the program gives."""
        if isinstance(node, ast.Lambda):
            return self.of(node.body)
        returned = self.read(("return", node))
        return united(returned, NOTHING) if _may_end(node.body) else returned

    def _bind(
        self, node: Function, given: Sequence[Alternatives], named: Mapping[str, Alternatives], *, exact: bool
    ) -> None:
        if not exact:
            self._loosen(node)
            return
        places = [*node.args.posonlyargs, *node.args.args]
        for parameter, alternatives in zip(places, given, strict=False):
            self.write(variable(node, parameter.arg), alternatives)
        for alternatives in given[len(places) :]:
            self.write(part_of(node, "item"), alternatives)
        for name, alternatives in named.items():
            self.write(variable(node, name), alternatives)

    def define(self, node: Function) -> Alternatives:
        """The function as a value; parameters take their defaults."""
        arguments = node.args
        places = [*arguments.posonlyargs, *arguments.args]
        for parameter, default in zip(places[len(places) - len(arguments.defaults) :], arguments.defaults, strict=True):
            self.write(variable(node, parameter.arg), self.of(default))
        for parameter, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if given is not None:
                self.write(variable(node, parameter.arg), self.of(given))
        if arguments.vararg is not None:
            self.write(variable(node, arguments.vararg.arg), one(Made("tuple", node)))
        return one(Defined(node))


def variable(scope: Function | None, name: str) -> Slot:
    """The slot of a name in a scope."""
    return ("name", scope, name)


def part_of(site: object, which: Hashable) -> Slot:
    """The slot of a part of a container."""
    return ("part", site, which)


def path_of(node: ast.AST) -> str | None:
    """`x.y` of a name and its fields, None of anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name):
            path = path_of(inner)
            return None if path is None else f"{path}.{name}"
        case _:
            return None


def _may_end(body: Sequence[ast.stmt]) -> bool:
    """Whether a block may come to its end."""
    match body[-1]:
        case ast.Return() | ast.Raise():
            return False
        case ast.If(body=then, orelse=orelse) if orelse:
            return _may_end(then) or _may_end(orelse)
        case _:
            return True
