"""The expressions of a program that is gone through without data, and its calls.

Each gives what the row of the design's table says that it is of, as far as the parts are known; whatever is not known is made of all parts.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from armslength.labels import LITERAL, NOTHING, SATURATED, construct, keying, made_of, steered, steering, tested
from armslength.language.foreseeing.outlook import SILENT, TEST_METHODS, TESTS, expressions
from armslength.language.foreseeing.rehearsal import DEEPEST, Coming, Frame, Rehearsal, Stand
from armslength.language.foreseeing.things import (
    Key,
    Scope,
    Thing,
    any_of,
    element,
    joined,
    listed,
    literal,
    made,
    read,
    restricted,
    several,
    sink,
)
from armslength.language.reading.scopes import defaults_of, parameters
from armslength.language.reading.static import Analysis
from armslength.language.reading.syntax import returned_type
from armslength.schema import STR
from armslength.values import Plain

_PICK_BITS = 3
"""For picking one of a list whose length is not known: one of eight."""
_RAISING = frozenset({"int", "float", "min", "max", "next", "chr", "index", "remove", "pop"})
_COPIES = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"})
_CHANGES = frozenset({"append", "add", "insert", "extend", "update", "setdefault"})


def give(walk: Rehearsal, node: ast.expr) -> Thing:
    """What an expression may give."""
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as told):
            return literal(told)
        case ast.Name(id=name):
            return walk.scope.find(name) or Thing(LITERAL)
        case ast.Lambda():
            return Thing(LITERAL, function=node, scope=walk.scope)
        case ast.Attribute(value=owner, attr=name):
            return _attribute(walk, owner, name)
        case ast.Subscript(value=owner, slice=index):
            return _subscript(walk, walk.of(owner), index)
        case ast.Call():
            return _call(walk, node)
        case ast.NamedExpr(target=target, value=value):
            walk.bind(target, found := walk.of(value))
            return found
        case ast.Starred(value=value) | ast.FormattedValue(value=value):
            return walk.of(value)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            gain = sink(walk.of(test)).guards
            with walk.region(node, gain):
                found = joined(walk.of(body), walk.of(orelse))
            return restricted(found, gain)
        case ast.BoolOp(values=values):
            return _bool(walk, node, values)
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return Thing(tested(*(sink(walk.of(each)) for each in expressions(node))))
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            return _display(walk, elts)
        case ast.Dict(keys=keys, values=values):
            return _dict(walk, keys, values)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return _comprehension(walk, node)
        case _:
            return _made(walk, node)


def _made(walk: Rehearsal, node: ast.expr) -> Thing:
    """Row "construct". A text is told if all of its parts are."""
    parts = [walk.of(each) for each in expressions(node)]
    found = made(*map(sink, parts))
    texts = [part.told for part in parts]
    is_text = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add))
    if is_text and texts and all(isinstance(text, str) for text in texts):
        found.told = "".join(map(str, texts))
    if isinstance(node, ast.BinOp):
        containers = [part for part in parts if part.is_container]
        if containers and isinstance(node.op, ast.Add | ast.BitOr):
            return Thing(construct(*(part.label for part in parts)), {}, any_of(h for c in containers for h in c.holds))
        if isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            walk.may_raise(*map(sink, parts))
    return found


def _bool(walk: Rehearsal, node: ast.expr, values: Sequence[ast.expr]) -> Thing:
    found = walk.of(values[0])
    gain = sink(found).guards
    for value in values[1:]:
        with walk.region(node, gain):
            thing = walk.of(value)
        found, gain = joined(found, thing), steered(gain, sink(thing).guards)
    return restricted(found, gain)


def _display(walk: Rehearsal, elts: Sequence[ast.expr]) -> Thing:
    if not any(isinstance(each, ast.Starred) for each in elts):
        return listed(walk.of(each) for each in elts)
    things = [(each, walk.of(each)) for each in elts]
    shape = construct(*(thing.label for each, thing in things if isinstance(each, ast.Starred)))
    return several(shape, (element(thing) if isinstance(each, ast.Starred) else thing for each, thing in things))


def _dict(walk: Rehearsal, keys: Sequence[ast.expr | None], values: Sequence[ast.expr]) -> Thing:
    found = Thing(NOTHING, {})
    for key, value in zip(keys, values, strict=True):
        if key is None:
            walk.put(found, element(walk.of(value)))
            continue
        at, thing = walk.of(key), walk.of(value)
        if isinstance(at.told, str) and found.parts is not None:
            found.parts[at.told] = thing
        else:
            walk.put(found, thing, NOTHING if at.label.is_trusted else made_of(at.label))
    return found


def _attribute(walk: Rehearsal, owner: ast.expr, name: str) -> Thing:
    if isinstance(owner, ast.Name) and walk.scope.find(owner.id) is None:
        return Thing(LITERAL)
    thing = walk.of(owner)
    return _part(thing, name)


def _part(thing: Thing, name: Key) -> Thing:
    known = (thing.parts or {}).get(name)
    if known is not None:
        return read(thing, known)
    if thing.item is not None:
        return element(thing)
    return made(sink(thing))


def _subscript(walk: Rehearsal, owner: Thing, index: ast.expr) -> Thing:
    if isinstance(index, ast.Slice):
        bounds = [sink(walk.of(each)) for each in (index.lower, index.upper, index.step) if each is not None]
        if owner.is_container:
            return Thing(construct(owner.label, *bounds), {}, any_of(owner.holds), is_frozen=False)
        return made(sink(owner), *bounds)
    key = walk.of(index)
    walk.may_raise(owner.label, key.label)
    return _keyed(owner, key)


def _keyed(owner: Thing, key: Thing) -> Thing:
    """Row "select"."""
    if isinstance(key.told, str | int) and not isinstance(key.told, bool):
        return _part(owner, key.told) if owner.is_container else made(sink(owner), key.label)
    if not owner.is_container:
        return made(sink(owner), sink(key))
    return restricted(element(owner), keying(sink(key), _PICK_BITS))


def _comprehension(walk: Rehearsal, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Thing:
    walruses = frozenset(each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
    before, walk.scope = walk.control, Scope(around=walk.scope, passed_on=walruses)
    gain = NOTHING
    for generator in node.generators:
        through = walk.of(generator.iter)
        gain = steered(gain, steering(through.label, through.label.bits or 1))
        walk.control = steered(walk.control, through.label.guards)
        walk.scope.names.update(dict.fromkeys(_names(generator.target), Thing(NOTHING)))
        walk.bind(generator.target, element(through))
        for test in generator.ifs:
            guard = sink(walk.of(test)).guards
            gain, walk.control = steered(gain, guard), steered(walk.control, guard)
    if isinstance(node, ast.DictComp):
        key, found = walk.of(node.key), walk.of(node.value)
        gain = steered(gain, NOTHING if key.label.is_trusted else made_of(sink(key)))
    else:
        found = walk.of(node.elt)
    walk.control = before
    walk.scope = walk.scope.around or walk.scope
    return Thing(made_of(gain), {}, found)


def _names(target: ast.expr) -> list[str]:
    return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]


# Calls


def _call(walk: Rehearsal, node: ast.Call) -> Thing:
    match node.func:
        case ast.Name(id="quarantined") if walk.scope.find("quarantined") is None:
            return _quarantined(walk, node)
        case ast.Name(id=name) if name in walk.analysis.signatures and walk.scope.find(name) is None:
            return _tool(walk, node, name)
        case ast.Name(id=name) if (found := walk.scope.find(name)) is not None:
            return invoke(walk, found, node)
        case ast.Name(id=name):
            return _own(walk, node, name)
        case ast.Attribute(value=ast.Name(id=module)) if walk.scope.find(module) is None:
            return _of_library(walk, node)
        case ast.Attribute(value=owner, attr=method):
            return _method(walk, node, walk.of(owner), method)
        case function:
            return invoke(walk, walk.of(function), node)


def _quarantined(walk: Rehearsal, node: ast.Call) -> Thing:
    kept = returned_type(node)
    given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.value is not kept)]
    inputs = [sink(walk.of(each)) for each in given]
    found = walk.stand.ask(inputs, walk.analysis.returns.get(node, STR))
    walk.may_raise(walk.stand.doubt("quarantined"))
    return found


def _tool(walk: Rehearsal, node: ast.Call, name: str) -> Thing:
    signature = walk.analysis.signatures[name]
    arguments: dict[str, Thing] = {}
    for parameter in signature.parameters:
        if parameter.has_default:
            default: Plain = [] if isinstance(parameter.default, tuple) else parameter.default
            arguments[parameter.name] = Thing(LITERAL, told=default)
    for parameter, each in zip(signature.parameters, node.args, strict=False):
        arguments[parameter.name] = walk.of(each)
    for keyword in node.keywords:
        thing = walk.of(keyword.value)
        if keyword.arg is not None:
            arguments[keyword.arg] = thing
    found = walk.stand.call(Coming(node, name, arguments, walk.control, walk.halt))
    walk.may_raise(walk.stand.doubt(name))
    return found


def _own(walk: Rehearsal, node: ast.Call, name: str) -> Thing:
    """A function of the language, or a class of the program."""
    things = [walk.of(each) for each in _given(node)]
    whole = [sink(_result(walk, thing, things)) for thing in things]
    if name in walk.analysis.classes.records:
        return _record(walk, node, name)
    if name in SILENT:
        return literal(None)
    if name in TESTS:
        return Thing(tested(*whole))
    if name == "len" and things:
        return made(things[0].label)
    if name in _COPIES and things:
        return _copy(things)
    if name in {"min", "max", "next"} and things:
        walk.may_raise(*(thing.label for thing in things))
        among = things[0] if len(things) == 1 or name == "next" else several(NOTHING, things)
        return restricted(element(among), steering(construct(*whole), _PICK_BITS))
    if name in {"enumerate", "zip", "map", "filter", "range", "dict"}:
        return _several(walk, node, name, things)
    if name in _RAISING:
        walk.may_raise(*whole)
    return made(*whole)


def _record(walk: Rehearsal, node: ast.Call, name: str) -> Thing:
    names = [each.name for each in walk.analysis.classes.records[name].fields]
    defaults = walk.analysis.classes.defaults.get(name, {})
    parts: dict[Key, Thing] = {field: walk.of(default) for field, default in defaults.items()}
    parts |= {field: walk.of(each) for field, each in zip(names, node.args, strict=False)}
    parts |= {keyword.arg: walk.of(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    return Thing(NOTHING, parts)


def _given(node: ast.Call) -> list[ast.expr]:
    kept = returned_type(node)
    is_test = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
    given = node.args[:1] if is_test else node.args
    return [*given, *(keyword.value for keyword in node.keywords if keyword.value is not kept)]


def _copy(things: Sequence[Thing]) -> Thing:
    """`list(x)`, `sorted(x, key=f)`: the same elements, picked by what they are sorted by."""
    found = any_of(things[0].holds)
    label = made_of(things[0].label)
    if len(things) > 1:
        label = steered(label, steering(sink(things[0]), SATURATED))
    return Thing(label, {}, found) if things[0].is_container else Thing(label, {}, made(things[0].label))


def _several(walk: Rehearsal, node: ast.Call, name: str, things: Sequence[Thing]) -> Thing:
    shape = construct(*(thing.label for thing in things))
    match name:
        case "enumerate" if things:
            return Thing(shape, {}, listed([made(things[0].label), element(things[0])]))
        case "zip":
            return Thing(shape, {}, listed(map(element, things)))
        case "map" if len(things) > 1:
            return Thing(shape, {}, _applied(walk, things[0], [element(each) for each in things[1:]]))
        case "filter" if len(things) > 1:
            guard = sink(_applied(walk, things[0], [element(things[1])])).guards
            return Thing(made_of(steered(shape, guard)), {}, any_of(things[1].holds))
        case "dict" if not node.args:
            return Thing(NOTHING, {k.arg: walk.of(k.value) for k in node.keywords if k.arg is not None})
        case "dict" if things and things[0].is_container:
            return Thing(made_of(things[0].label), dict(things[0].parts or {}), things[0].item)
        case _:
            return Thing(made_of(shape), {}, made(shape))


def _of_library(walk: Rehearsal, node: ast.Call) -> Thing:
    whole = [sink(walk.of(each)) for each in _given(node)]
    walk.may_raise(*whole)
    return made(*whole)


def _method(walk: Rehearsal, node: ast.Call, owner: Thing, method: str) -> Thing:
    things = [walk.of(each) for each in _given(node)]
    if method in _CHANGES and not owner.is_frozen:
        return _change(walk, owner, method, things)
    if owner.is_container and method in {"get", "pop", "setdefault"} and things:
        default = [things[1]] if len(things) > 1 else [literal(None)]
        return any_of([_keyed(owner, things[0]), *default]) or literal(None)
    if owner.is_container and method in {"values", "copy", "keys", "items", "pop"}:
        return _view(owner, method)
    whole = [sink(owner), *(sink(_result(walk, thing, [owner])) for thing in things)]
    if method in _RAISING:
        walk.may_raise(*whole)
    return Thing(tested(*whole)) if method in TEST_METHODS else made(*whole)


def _view(owner: Thing, method: str) -> Thing:
    match method:
        case "copy":
            return Thing(owner.label, dict(owner.parts or {}), owner.item)
        case "pop":
            return element(owner)
        case "values":
            return Thing(owner.label, {}, any_of(owner.holds))
        case "keys":
            return Thing(owner.label, {}, made(owner.label))
        case _:
            return Thing(owner.label, {}, listed([made(owner.label), any_of(owner.holds) or Thing(NOTHING)]))


def _change(walk: Rehearsal, owner: Thing, method: str, things: Sequence[Thing]) -> Thing:
    for thing in things[1:] if method in {"insert", "setdefault"} else things:
        if method in {"extend", "update"} and thing.is_container:
            walk.put(owner, element(thing), made_of(thing.label))
        else:
            walk.put(owner, thing)
            if method == "add" and not thing.label.is_trusted:
                owner.label = steered(owner.label, made_of(thing.label))
    return element(owner) if method == "setdefault" else literal(None)


def _result(walk: Rehearsal, thing: Thing, beside: Sequence[Thing]) -> Thing:
    """An argument; of a function it is what that gives for elements of the others, which is all that comes out."""
    if thing.function is None:
        return thing
    others = [element(each) for each in beside if each is not thing]
    return _applied(walk, thing, others[:1])


def invoke(walk: Rehearsal, thing: Thing, node: ast.Call) -> Thing:
    """Call what a name holds."""
    given = [walk.of(each) for each in node.args]
    named = {keyword.arg: walk.of(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    if thing.function is None:
        return made(sink(thing), *(sink(each) for each in (*given, *named.values())))
    return _applied(walk, thing, given, named)


def _applied(walk: Rehearsal, thing: Thing, given: Sequence[Thing], named: Mapping[str, Thing] | None = None) -> Thing:
    """A function gone through where it is called."""
    function, scope = thing.function, thing.scope
    if function is None or scope is None or len(walk.frames) > DEEPEST:
        return made(sink(thing), *map(sink, given), *(sink(each) for each in (named or {}).values()))
    names = [parameter.arg for parameter in parameters(function)]
    outside = (each for each in ast.walk(function) if isinstance(each, ast.Nonlocal))
    own = Scope(around=scope, passed_on=frozenset(name for each in outside for name in each.names))
    defaults = [walk.of(each) for each in defaults_of(function)]
    spare = any_of([*defaults, *given]) or Thing(NOTHING)
    own.names = dict.fromkeys(names, spare) | dict(zip(names, given, strict=False)) | dict(named or {})
    outer, walk.scope, before = walk.scope, own, walk.control
    walk.frames.append(Frame())
    if isinstance(function, ast.Lambda):
        found: Thing = walk.of(function.body)
    else:
        loops, walk.loops = walk.loops, []
        is_open = walk.run(function.body)
        walk.loops = loops
        returned = walk.frames[-1].returned
        found = any_of([*returned, *([literal(None)] if is_open or not returned else [])]) or literal(None)
    found = restricted(found, walk.frames[-1].gain)
    walk.frames.pop()
    walk.scope, walk.control = outer, before
    return found


def rehearse(analysis: Analysis, stand: Stand, earlier: Mapping[str, Thing]) -> Rehearsal:
    """Go through a program, among the names that earlier ones left."""
    walk = Rehearsal(analysis, stand, give, Scope(dict(earlier)))
    walk.run(analysis.program.body)
    return walk
