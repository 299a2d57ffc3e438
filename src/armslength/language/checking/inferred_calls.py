"""What calls give: of tools, classes, functions of the language and of the program, and methods. What is in no table gives anything."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from armslength.language.checking.alternatives import (
    CHANGES,
    ERROR,
    FLOAT,
    MATCH,
    NEVER,
    NOTHING,
    NUMBERS,
    TEXT,
    TRUTH,
    WHOLE,
    Alternative,
    Alternatives,
    Instance,
    Made,
    Member,
    Plain,
    is_only,
    kinds_of,
    one,
    united,
)
from armslength.language.checking.facts import Facts, part_of
from armslength.language.operations.methods import METHODS
from armslength.language.reading.syntax import returned_type
from armslength.schema import STR, RecordType


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call. `exact`: no `*` stands among them."""

    site: ast.AST
    places: list[Alternatives]
    named: dict[str, Alternatives]
    exact: bool = True

    def at(self, number: int, name: str = "") -> Alternatives:
        """An argument by its place or name; never, if it is not there."""
        if not self.exact:
            return None
        return self.places[number] if number < len(self.places) else self.named.get(name, NEVER)

    @property
    def all(self) -> list[Alternatives]:
        """All of them."""
        return [*self.places, *self.named.values()]


def call(facts: Facts, node: ast.Call) -> Alternatives:
    """What a call gives."""
    func, given = node.func, _arguments(facts, node)
    path = facts.analysis.functions.get(func)
    if path is not None:
        return _function(facts, path, given)
    if isinstance(func, ast.Attribute):
        return _method(facts, func, given)
    if isinstance(func, ast.Name) and func not in facts.analysis.variable_calls:
        return _named(facts, node, func.id, given)
    return facts.apply(facts.of(func), given.places, given.named, exact=given.exact)


def _arguments(facts: Facts, node: ast.Call) -> Arguments:
    exact = not any(isinstance(each, ast.Starred) for each in node.args)
    places = [facts.of(each.value if isinstance(each, ast.Starred) else each) for each in node.args]
    is_type = returned_type(node)
    named = {each.arg: facts.of(each.value) for each in node.keywords if each.arg and each.value is not is_type}
    return Arguments(node, places, named, exact)


def _named(facts: Facts, node: ast.Call, name: str, given: Arguments) -> Alternatives:
    """A tool, a class, or a form of the language."""
    analysis, classes = facts.analysis, facts.classes
    if name in analysis.signatures:
        return facts.of_type(analysis.signatures[name].returns)
    if name == "quarantined":
        return facts.of_type(analysis.returns.get(node, STR))
    if name in classes.records:
        return _instance(facts, classes.records[name], given)
    if name in classes.enumerations:
        return one(Member(name))
    if name in classes.exceptions:
        return ERROR
    if name == "isinstance":
        return TRUTH
    return NOTHING if name in ("answer", "print", "reveal") else None


def _instance(facts: Facts, record: RecordType, given: Arguments) -> Alternatives:
    defaults = facts.classes.defaults[record.name]
    for number, each in enumerate(record.fields):
        found = given.at(number, each.name)
        if found == NEVER and each.name in defaults:
            found = facts.of(defaults[each.name])
        facts.write(part_of(record.name, each.name), found)
    return one(Instance(record))


# Functions of the language


def _function(facts: Facts, path: str, given: Arguments) -> Alternatives:
    if path in _ALWAYS:
        facts.loosen(*given.all)
        return _ALWAYS[path]
    follow = _FUNCTIONS.get(path)
    if follow is not None and given.exact:
        return follow(facts, given)
    if path.rpartition(".")[2] in CHANGES:
        facts.spoil(None)
    facts.loosen(*given.all)
    return None


_DATE, _MOMENT, _TIME = (one(Plain(name)) for name in ("date", "datetime", "time"))
_ALWAYS: Mapping[str, Alternatives] = {
    "len": WHOLE, "int": WHOLE, "ord": WHOLE, "float": FLOAT, "bool": TRUTH, "any": TRUTH, "all": TRUTH, "callable": TRUTH,
    **dict.fromkeys(("str", "repr", "ascii", "format", "chr", "bin", "oct", "hex"), TEXT),
    "re.search": MATCH | NOTHING, "re.match": MATCH | NOTHING, "re.fullmatch": MATCH | NOTHING, "re.sub": TEXT, "re.escape": TEXT,
    "json.dumps": TEXT, "math.sqrt": FLOAT, "math.isclose": TRUTH, "math.isnan": TRUTH, "math.floor": WHOLE, "math.ceil": WHOLE,
    **{f"datetime.{name}": one(Plain(name)) for name in ("datetime", "date", "time", "timedelta")},
    **{f"datetime.datetime.{name}": _MOMENT for name in ("now", "today", "utcnow", "fromisoformat", "strptime", "combine")},
    "datetime.date.today": _DATE, "datetime.date.fromisoformat": _DATE, "datetime.time.fromisoformat": _TIME,
}  # fmt: skip
"""Functions that give one kind, or fail."""


def _copy(kind: str) -> Callable[[Facts, Arguments], Alternatives]:
    def follow(facts: Facts, given: Arguments) -> Alternatives:
        return facts.make(kind, given.site, item=facts.items(given.at(0)))

    return follow


def _sorted(facts: Facts, given: Arguments) -> Alternatives:
    _call_key(facts, given, facts.items(given.at(0)))
    return facts.make("list", given.site, item=facts.items(given.at(0)))


def _call_key(facts: Facts, given: Arguments, item: Alternatives) -> None:
    """`key=` is called with each element."""
    if "key" in given.named:
        facts.apply(given.named["key"], [item], {}, exact=True)


def _extreme(facts: Facts, given: Arguments) -> Alternatives:
    picked = facts.items(given.at(0)) if len(given.places) == 1 else united(*given.places)
    _call_key(facts, given, picked)
    return united(picked, given.named.get("default", NEVER))


def _dict(facts: Facts, given: Arguments) -> Alternatives:
    if given.places:
        facts.merge(given.site, given.at(0))
    for each in given.named.values():
        facts.make("dict", given.site, key=TEXT, value=each)
    return one(Made("dict", given.site))


def _range(facts: Facts, given: Arguments) -> Alternatives:
    return facts.make("list", given.site, item=WHOLE)


def _enumerate(facts: Facts, given: Arguments) -> Alternatives:
    pairs = facts.make_tuple((given.site, "pair"), [WHOLE, facts.items(given.at(0))])
    return facts.make("iterator", given.site, item=pairs)


def _zip(facts: Facts, given: Arguments) -> Alternatives:
    rows = facts.make_tuple((given.site, "row"), [facts.items(each) for each in given.places])
    return facts.make("iterator", given.site, item=rows)


def _next(facts: Facts, given: Arguments) -> Alternatives:
    return united(facts.items(given.at(0)), given.at(1))


def _map(facts: Facts, given: Arguments) -> Alternatives:
    rows = [facts.items(each) for each in given.places[1:]]
    return facts.make("iterator", given.site, item=facts.apply(given.at(0), rows, {}, exact=True))


def _filter(facts: Facts, given: Arguments) -> Alternatives:
    items = facts.items(given.at(1))
    facts.apply(given.at(0), [items], {}, exact=True)
    return facts.make("iterator", given.site, item=items)


def _round(facts: Facts, given: Arguments) -> Alternatives:
    return WHOLE if len(given.all) == 1 else WHOLE | FLOAT


def _sum(facts: Facts, given: Arguments) -> Alternatives:
    items = united(facts.items(given.at(0)), given.at(1, "start"))
    if items is None or not is_only(items | WHOLE, NUMBERS):
        return None
    return (items - TRUTH) | WHOLE


def _absolute(facts: Facts, given: Arguments) -> Alternatives:
    operand = given.at(0)
    if operand is None or not is_only(operand, NUMBERS):
        return None
    return (operand - TRUTH) | (WHOLE if operand & TRUTH else NEVER)


def _found_all(facts: Facts, given: Arguments) -> Alternatives:
    return facts.make("list", given.site, item=None)


def _found_matches(facts: Facts, given: Arguments) -> Alternatives:
    return facts.make("iterator", given.site, item=MATCH)


_FUNCTIONS: Mapping[str, Callable[[Facts, Arguments], Alternatives]] = {
    "list": _copy("list"), "tuple": _copy("tuple"), "set": _copy("set"), "frozenset": _copy("set"), "iter": _copy("iterator"),
    "reversed": _copy("iterator"), "sorted": _sorted, "min": _extreme, "max": _extreme, "dict": _dict, "range": _range,
    "enumerate": _enumerate, "zip": _zip, "next": _next, "map": _map, "filter": _filter, "round": _round, "sum": _sum,
    "abs": _absolute, "re.findall": _found_all, "re.split": _found_all, "re.finditer": _found_matches,
}  # fmt: skip


# Methods


def _method(facts: Facts, func: ast.Attribute, given: Arguments) -> Alternatives:
    """By each kind that the owner can be; one that has no such method gives nothing."""
    owner, name = facts.of(func.value), func.attr
    if owner is None and _OWNERS.get(name) == ["str"]:
        owner = TEXT
    if owner is None:
        _change(facts, None, name, given)
        facts.loosen(*given.all)
        return None
    found: Alternatives = NEVER
    for each in owner:
        _change(facts, one(each), name, given)
        for kind in kinds_of(each, facts.classes):
            if (kind, name) in METHODS:
                found = united(found, _method_of(facts, kind, each, name, given))
    return found


_OWNERS: dict[str, list[str]] = {}
for _kind, _name in METHODS:
    _OWNERS.setdefault(_name, []).append(_kind)


def _change(facts: Facts, owner: Alternatives, name: str, given: Arguments) -> None:
    """What a method puts into its owner."""
    match name:
        case "append":
            facts.insert(owner, ["list"], item=given.at(0))
        case "insert":
            facts.insert(owner, ["list"], item=given.at(1))
        case "extend":
            facts.insert(owner, ["list"], item=facts.items(given.at(0)))
        case "add":
            facts.insert(owner, ["set"], item=given.at(0))
        case "setdefault":
            facts.insert(owner, ["dict"], key=given.at(0), value=_or_none(given))
        case "update" if not given.exact:
            facts.spoil(owner)
        case "update":
            for each in given.places:
                _update(facts, owner, each)
            for value in given.named.values():
                facts.insert(owner, ["dict"], key=TEXT, value=value)
        case "symmetric_difference_update":
            facts.insert(owner, ["set"], item=None)
        case _:
            return


def _update(facts: Facts, owner: Alternatives, source: Alternatives) -> None:
    facts.insert(owner, ["set"], item=facts.items(source))
    for each in source if source is not None else (None,):
        is_dict = isinstance(each, Made) and each.kind == "dict"
        key, value = (facts.part(each, "key"), facts.part(each, "value")) if is_dict else (None, None)  # type: ignore[arg-type]
        facts.insert(owner, ["dict"], key=key, value=value)


def _method_of(facts: Facts, kind: str, owner: Alternative, name: str, given: Arguments) -> Alternatives:
    if (kind, name) in _METHODS:
        return _METHODS[kind, name](facts, owner, given)
    if name in _SILENT:
        return NOTHING
    if (kind, name) in _GIVEN_BY:
        return _GIVEN_BY[kind, name]
    facts.loosen(*given.all)
    return None


_SILENT = frozenset({
    "append", "extend", "insert", "remove", "reverse", "clear", "update", "add", "discard", "intersection_update",
    "difference_update", "symmetric_difference_update",
})  # fmt: skip
_TEXTS = (
    "capitalize", "casefold", "lower", "upper", "title", "swapcase", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix",
    "replace", "zfill", "ljust", "rjust", "center", "expandtabs", "join", "format", "format_map", "translate",
)  # fmt: skip
_TESTS = (
    "startswith", "endswith", "isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric", "islower", "isupper", "isspace", "istitle",
    "isidentifier", "isascii", "isprintable",
)  # fmt: skip
_GIVEN_BY: Mapping[tuple[str, str], Alternatives] = {
    **{("str", name): TEXT for name in _TEXTS},
    **{("str", name): TRUTH for name in _TESTS},
    **{("str", name): WHOLE for name in ("find", "rfind", "index", "rindex", "count")},
    **{(kind, name): WHOLE for kind in ("list", "tuple") for name in ("index", "count")},
    **{("set", name): TRUTH for name in ("issubset", "issuperset", "isdisjoint")},
    **{(kind, name): TEXT for kind in ("datetime", "date", "time") for name in ("strftime", "isoformat")},
    ("datetime", "date"): _DATE, ("datetime", "time"): _TIME, ("datetime", "weekday"): WHOLE, ("date", "weekday"): WHOLE,
    ("datetime", "replace"): _MOMENT, ("date", "replace"): _DATE, ("timedelta", "total_seconds"): FLOAT,
}  # fmt: skip
"""Methods that give one kind, or fail."""

Follow = Callable[[Facts, Alternative, Arguments], Alternatives]


def _pieces(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return facts.make("list", given.site, item=TEXT)


def _three(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return facts.make_tuple(given.site, [TEXT, TEXT, TEXT])


def _own_items(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return facts.items(one(owner))


def _same(kind: str) -> Follow:
    def follow(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
        return facts.make(kind, given.site, item=facts.items(one(owner)))

    return follow


def _sort(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    _call_key(facts, given, facts.items(one(owner)))
    return NOTHING


def _values(facts: Facts, owner: Alternative) -> Alternatives:
    return facts.part(owner, "value") if isinstance(owner, Made) else None


def _get(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return united(_values(facts, owner), _or_none(given))


def _or_none(given: Arguments) -> Alternatives:
    """The default of `get` and `setdefault`."""
    return given.at(1) if len(given.places) > 1 or not given.exact else NOTHING


def _take(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return united(_values(facts, owner), given.at(1))


def _keys(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return facts.make("list", given.site, item=facts.items(one(owner)))


def _all_values(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return facts.make("list", given.site, item=_values(facts, owner))


def _pairs(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    pair = facts.make_tuple((given.site, "pair"), [facts.items(one(owner)), _values(facts, owner)])
    return facts.make("list", given.site, item=pair)


def _copied_dict(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    facts.merge(given.site, one(owner))
    return one(Made("dict", given.site))


def _joined_set(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return facts.make("set", given.site, item=united(facts.items(one(owner)), *map(facts.items, given.places)))


def _dumped(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return facts.make("dict", given.site, key=TEXT, value=None)


def _copied_record(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return one(owner) if given.exact and not given.all else None


def _group(facts: Facts, owner: Alternative, given: Arguments) -> Alternatives:
    return TEXT | NOTHING if given.exact and len(given.all) <= 1 else None


_METHODS: Mapping[tuple[str, str], Follow] = {
    **{("str", name): _pieces for name in ("split", "rsplit", "splitlines")},
    **{("str", name): _three for name in ("partition", "rpartition")},
    ("list", "pop"): _own_items, ("set", "pop"): _own_items, ("list", "copy"): _same("list"), ("list", "sort"): _sort,
    ("dict", "get"): _get, ("dict", "setdefault"): _get, ("dict", "pop"): _take, ("dict", "keys"): _keys,
    ("dict", "values"): _all_values, ("dict", "items"): _pairs, ("dict", "copy"): _copied_dict,
    **{("set", name): _joined_set for name in ("union", "intersection", "difference", "symmetric_difference")},
    ("set", "copy"): _same("set"), ("record", "model_dump"): _dumped, ("record", "dict"): _dumped,
    ("record", "model_copy"): _copied_record, ("record", "copy"): _copied_record, ("match", "group"): _group,
}  # fmt: skip
