"""What a name stands for that is no variable: a function, tool, class, module, constant or member. Found from program text alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from armslength.language.reading.scopes import Scopes
from armslength.language.reading.trees import statements
from armslength.values import Raw

_TYPING = frozenset({
    "dataclass", "dataclasses", "field", "Field", "BaseModel", "Enum", "IntEnum", "StrEnum", "auto", "enum", "typing",
    "pydantic", "List", "Dict", "Set", "Tuple", "Optional", "Literal", "Union", "Any", "Callable", "Sequence", "Iterable",
    "Iterator", "annotations", "collections.abc", "__future__", "Mapping", "Final", "TypedDict", "NamedTuple",
})  # fmt: skip


_MOMENTS = frozenset({"datetime", "date", "time", "timedelta", "timezone", "UTC"})
"""What of `datetime` is found without an import."""


@dataclass(frozen=True, slots=True)
class Known:
    """The language's own names: `functions` and `constants` by path (`len`, `re.search`, `math.pi`), `forms`, and `methods`.

    `check_pattern` says why a pattern with these flags (None: not known) is none of the language.
    """

    functions: AbstractSet[str]
    constants: Mapping[str, Raw]
    forms: AbstractSet[str]
    methods: AbstractSet[str]
    check_pattern: Callable[[str, int | None], str | None]

    def find(self, path: str) -> str | None:
        """The path under which the language has it; of `datetime` what is in the module and its class alike."""
        root, _, rest = path.partition(".")
        candidates = [path, f"datetime.{path}"] if root in _MOMENTS else [path]
        if root == "datetime" and "." in rest and rest.rpartition(".")[2] not in _MOMENTS:
            candidates.append(rest)  # a method of its classes: `datetime.date.isoformat`
        for candidate in candidates:
            if candidate in self.functions or candidate in self.constants:
                return candidate
        return None


@dataclass(slots=True)
class Naming:
    """Paths of names and dotted names that are no variables, and no parts of constants. `imports`: what a program calls something by another name."""

    scopes: Scopes
    known: Known
    imports: dict[str, str] = field(default_factory=dict)

    def path(self, node: ast.AST) -> str | None:
        """`re.search` of the nodes that spell it, None if a variable is in it or it is no name at all."""
        match node:
            case ast.Name(id=name) if node not in self.scopes.variables:
                return self.imports.get(name, name)
            case ast.Attribute(value=inner, attr=attr):
                path = self.path(inner)
                return None if path is None or self.known.find(path) in self.known.constants else f"{path}.{attr}"
            case _:
                return None

    def function(self, node: ast.AST) -> str | None:
        """The function or constant of the language that a node names."""
        path = self.path(node)
        return None if path is None else self.known.find(path)


def read_imports(body: Sequence[ast.stmt]) -> Mapping[str, str]:
    """What `import` and `from` would bind, by name; they do nothing else."""
    found: dict[str, str] = {}
    for node in statements(body):
        match node:
            case ast.Import(names=names):
                found |= {alias.asname or alias.name: alias.name for alias in names}
            case ast.ImportFrom(module=str(module), names=names):
                found |= {alias.asname or alias.name: _imported(module, alias.name) for alias in names}
            case _:
                continue
    return found


def _imported(module: str, name: str) -> str:
    return name if name in _TYPING else f"{module}.{name}"


def is_only_for_types(name: str) -> bool:
    """Whether a name stands only in annotations and class statements."""
    return name in _TYPING
