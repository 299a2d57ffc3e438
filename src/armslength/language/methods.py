"""The methods of text, lists, dicts and sets: one allow-list. Whatever is not in it does not exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from armslength.labels import NOTHING, construct, steered, steering, tested
from armslength.language.elements import (
    add,
    hashable,
    key_label,
    mingle,
    put,
    read,
    read_item,
    sequence,
    size_of,
    walk_all,
)
from armslength.language.machine import Machine
from armslength.language.operators import comparable, sequence_items, shape_of, text_label
from armslength.language.ordering import arranged
from armslength.values import (
    DictObject,
    ListObject,
    SetObject,
    TupleObject,
    Value,
    children,
    kind,
    make,
    restrict,
    unwrap,
    upgrade,
)

Method = Callable[[Machine, Value, Sequence[Value], Mapping[str, Value]], Value]


def call_method(machine: Machine, owner: Value, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Call `owner.name(*args, **named)`.

    Raises:
        ProgramFailed: there is no such method, or the arguments do not fit it.
    """
    machine.may_raise(owner.label, *(value.label for value in (*args, *named.values())))
    of_kind = kind(owner) if isinstance(unwrap(owner), str | ListObject | TupleObject | DictObject | SetObject) else ""
    method = _METHODS.get((of_kind, name))
    if method is None:
        raise machine.failed("attribute", f"this has no method {name}", owner.label)
    return method(machine, owner, args, named)


def _misfit(machine: Machine, name: str, *values: Value) -> Exception:
    return machine.failed("type", f"the arguments do not fit {name}", *(value.label for value in values))


# Text: row "construct" over the text and the arguments.

_TEXT_TO_TEXT: dict[str, Callable[..., object]] = {
    name: getattr(str, name)
    for name in (
        "capitalize", "casefold", "lower", "upper", "title", "swapcase", "strip", "lstrip", "rstrip",
        "removeprefix", "removesuffix", "replace", "zfill", "ljust", "rjust", "center",
        "find", "rfind", "index", "rindex", "count",
    )
}  # fmt: skip
_TEXT_TO_BOOL: dict[str, Callable[..., bool]] = {
    name: getattr(str, name)
    for name in (
        "startswith", "endswith", "isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric", "islower", "isupper",
        "isspace", "istitle", "isidentifier",
    )
}  # fmt: skip
_TEXT_TO_LIST: dict[str, Callable[..., object]] = {
    name: getattr(str, name) for name in ("split", "rsplit", "splitlines", "partition", "rpartition")
}


def _plain_arguments(
    machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]
) -> tuple[list[object], dict[str, object]]:
    """Scalars, or for `startswith` a tuple of texts; nothing else reaches a method of Python's own."""

    def plain(value: Value) -> object:
        raw = unwrap(value)
        if isinstance(raw, TupleObject):
            texts = tuple(unwrap(item) for item in raw.items)
            if not all(isinstance(text, str) for text in texts):
                raise _misfit(machine, name, value)
            return texts
        if raw is not None and type(raw) not in (bool, int, str):
            raise _misfit(machine, name, value)
        return raw

    return [plain(value) for value in args], {key: plain(value) for key, value in named.items()}


def _call_text(
    machine: Machine,
    name: str,
    python: Callable[..., object],
    owner: Value,
    args: Sequence[Value],
    named: Mapping[str, Value],
) -> object:
    text = str(unwrap(owner))
    machine.may_raise(*map(text_label, (*args, *named.values())))
    plain, keywords = _plain_arguments(machine, name, args, named)
    machine.spend(_cost(name, text, plain))
    try:
        return python(text, *plain, **keywords)
    except TypeError:
        raise _misfit(machine, name, owner, *args, *named.values()) from None
    except (ValueError, OverflowError):
        raise machine.failed(
            "value", f"{name} found nothing it can use", owner.label, *(v.label for v in args)
        ) from None


def _cost(name: str, text: str, plain: list[object]) -> int:
    """An upper bound of the characters that the call makes."""
    if name in ("zfill", "ljust", "rjust", "center"):
        return len(text) + max([part for part in plain if isinstance(part, int)], default=0)
    if name == "replace" and len(plain) >= 2 and isinstance(plain[0], str) and isinstance(plain[1], str):
        most = plain[2] if len(plain) > 2 and isinstance(plain[2], int) and plain[2] >= 0 else len(text) + 1
        return len(text) + min(text.count(plain[0]), most) * len(plain[1])
    return 3 * len(text)


def _text_to_text(name: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        result = _call_text(machine, name, _TEXT_TO_TEXT[name], owner, args, named)
        label = construct(*map(text_label, (owner, *args, *named.values())))
        return make(result, label)  # type: ignore[arg-type]  # text or a number

    return method


def _text_to_bool(name: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        result = _call_text(machine, name, _TEXT_TO_BOOL[name], owner, args, named)
        return make(bool(result), tested(*map(text_label, (owner, *args, *named.values()))))

    return method


def _text_to_list(name: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        result = _call_text(machine, name, _TEXT_TO_LIST[name], owner, args, named)
        label = construct(*map(text_label, (owner, *args, *named.values())))
        items = [make(piece, label) for piece in result]  # type: ignore[attr-defined]  # a list or tuple of text
        machine.spend_elements(len(items))
        if isinstance(result, tuple):
            return make(TupleObject(items, label), NOTHING)
        return sequence(items, label)

    return method


def _join(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if len(args) != 1 or named:
        raise _misfit(machine, "join", owner)
    pieces = walk_all(machine, args[0])
    labels = [owner.label, args[0].label, shape_of(args[0]), *(piece.label for piece in pieces)]
    texts = []
    for piece in pieces:
        machine.may_raise(piece.label)
        text = unwrap(piece)
        if not isinstance(text, str):
            raise machine.failed("type", "join takes texts only; use str(x) for the others", *labels)
        texts.append(text)
    separator = str(unwrap(owner))
    machine.spend(sum(map(len, texts)) + len(separator) * len(texts))
    return make(separator.join(texts), construct(*labels))


# Lists. What changes a list changes its shape only through the regions around; a key adds its choice.


def _changeable(machine: Machine, owner: Value) -> ListObject | DictObject | SetObject:
    raw = unwrap(owner)
    if not isinstance(raw, ListObject | DictObject | SetObject) or getattr(raw, "is_frozen", False):
        raise machine.failed(
            "frozen", "what a tool returned does not change; copy it with list(...) or dict(...)", owner.label
        )
    return raw


def _list(machine: Machine, owner: Value) -> ListObject:
    raw = _changeable(machine, owner)
    if not isinstance(raw, ListObject):
        raise _misfit(machine, "a list's method", owner)
    return raw


def _only(machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if len(args) != 1 or named:
        raise _misfit(machine, name, *args, *named.values())
    return args[0]


def _none(machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> None:
    if args or named:
        raise _misfit(machine, name, *args, *named.values())


def _append(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    item = _only(machine, "append", args, named)
    machine.spend_elements(1)
    target = _list(machine, owner)
    mingle(machine, owner, [item])
    target.items.append(item)
    return make(None, NOTHING)


def _extend(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    source = _only(machine, "extend", args, named)
    target = _list(machine, owner)
    items = walk_all(machine, source)
    mingle(machine, owner, items)
    target.shape = construct(target.shape, source.label, shape_of(source))
    target.items.extend(items)
    return make(None, NOTHING)


def _insert(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    target = _list(machine, owner)
    at = unwrap(args[0]) if len(args) == 2 and not named else None
    if not isinstance(at, int):
        raise _misfit(machine, "insert", owner, *args)
    machine.spend_elements(1)
    gain = steering(args[0].label, (len(target.items) + 1).bit_length())
    mingle(machine, owner, [args[1]], gain)
    upgrade([target], gain)
    target.items.insert(min(max(at, -len(target.items)), len(target.items)), args[1])
    return make(None, NOTHING)


def _pop(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    raw = _changeable(machine, owner)
    if isinstance(raw, DictObject):
        return _pop_key(machine, owner, raw, args, named)
    target = _list(machine, owner)
    if named or len(args) > 1:
        raise _misfit(machine, "pop", owner, *args)
    key = args[0] if args else make(-1, NOTHING)
    taken = read_item(machine, owner, key)
    upgrade([target], steering(key.label, len(target.items).bit_length()))
    at = unwrap(key)
    target.items.pop(at if isinstance(at, int) else -1)
    return taken


def _pop_key(
    machine: Machine, owner: Value, raw: DictObject, args: Sequence[Value], named: Mapping[str, Value]
) -> Value:
    key = _only(machine, "pop", args, named)
    taken = read_item(machine, owner, key)
    upgrade([raw], steering(key_label(key), len(raw.entries).bit_length()))
    del raw.entries[hashable(machine, key)]
    return taken


def _index(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    wanted = _only(machine, "index", args, named)
    label = construct(text_label(owner), text_label(wanted))
    machine.may_raise(label)
    machine.spend(size_of(owner))
    compared = [comparable(machine, item) for item in sequence_items(owner)]
    try:
        return make(compared.index(comparable(machine, wanted)), label)
    except ValueError:
        raise machine.failed("value", "index found nothing", label) from None


def _count(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    wanted = _only(machine, "count", args, named)
    machine.spend(size_of(owner))
    compared = [comparable(machine, item) for item in sequence_items(owner)]
    return make(compared.count(comparable(machine, wanted)), construct(text_label(owner), text_label(wanted)))


def _copy(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    _none(machine, "copy", args, named)
    raw = unwrap(owner)
    if isinstance(raw, DictObject):
        return copy_dict(machine, owner, raw)
    return sequence(walk_all(machine, owner), construct(owner.label, shape_of(owner)))


def copy_dict(machine: Machine, owner: Value, raw: DictObject) -> Value:
    """A new dict with the same entries, which can be changed."""
    copied = DictObject(construct(owner.label, raw.shape))
    machine.spend_elements(len(raw.entries))
    for key, entry in raw.entries.items():
        copied.entries[key] = type(entry)(read(entry.key, owner), read(entry.value, owner))
    return make(copied, NOTHING)


def _reverse(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    _none(machine, "reverse", args, named)
    _list(machine, owner).items.reverse()
    return make(None, NOTHING)


def _sort(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    target = _list(machine, owner)
    if args or set(named) - {"reverse"}:
        raise _misfit(machine, "sort", owner, *args, *named.values())
    items, gain = arranged(machine, list(target.items), named.get("reverse"))
    machine.spread(target.items, gain)
    target.items[:] = items
    return make(None, NOTHING)


def _clear(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    _none(machine, "clear", args, named)
    raw = _changeable(machine, owner)
    if isinstance(raw, ListObject):
        raw.items.clear()
    else:
        raw.entries.clear()
    return make(None, NOTHING)


# Dicts and sets.


def _dict(owner: Value) -> DictObject:
    raw = unwrap(owner)
    if not isinstance(raw, DictObject):
        raise TypeError("a dict's method on something else")
    return raw


def _get(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if named or not 1 <= len(args) <= 2:
        raise _misfit(machine, "get", owner, *args, *named.values())
    raw, key = _dict(owner), args[0]
    found = raw.entries.get(hashable(machine, key))
    default = args[1] if len(args) == 2 else make(None, NOTHING)
    candidates = [default, *(entry.value for entry in raw.entries.values())]
    by_key = steering(key_label(key), len(candidates).bit_length())
    gain = steered(by_key, steering(construct(owner.label, raw.shape), 1))
    machine.spread(candidates, gain)
    picked = default if found is None else read(found.value, owner)
    return restrict(picked, gain)


def _keys(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    _none(machine, "keys", args, named)
    return sequence(walk_all(machine, owner), construct(owner.label, shape_of(owner)))


def _values(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    _none(machine, "values", args, named)
    found = [read(entry.value, owner) for entry in _dict(owner).entries.values()]
    machine.spend_elements(len(found))
    return sequence(found, construct(owner.label, shape_of(owner)))


def _items(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    _none(machine, "items", args, named)
    entries = list(_dict(owner).entries.values())
    machine.spend_elements(3 * len(entries))
    pairs = [make(TupleObject([read(e.key, owner), read(e.value, owner)], NOTHING), NOTHING) for e in entries]
    return sequence(pairs, construct(owner.label, shape_of(owner)))


def _update(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    source = _only(machine, "update", args, named)
    target, given = _changeable(machine, owner), unwrap(source)
    if not isinstance(target, DictObject) or not isinstance(given, DictObject):
        raise _misfit(machine, "update", owner, source)
    mingle(machine, owner, children(given))
    target.shape = construct(target.shape, source.label, given.shape)
    for entry in list(given.entries.values()):
        put(machine, target, read(entry.key, source), read(entry.value, source))
    return make(None, NOTHING)


def _setdefault(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if named or not 1 <= len(args) <= 2:
        raise _misfit(machine, "setdefault", owner, *args, *named.values())
    target = _changeable(machine, owner)
    if not isinstance(target, DictObject):
        raise _misfit(machine, "setdefault", owner)
    default = args[1] if len(args) == 2 else make(None, NOTHING)
    by_key = steering(key_label(args[0]), len(target.entries).bit_length())
    doubt = steered(steering(construct(owner.label, target.shape), 1), by_key)
    if hashable(machine, args[0]) not in target.entries:
        put(machine, target, args[0], default)
    upgrade([target], doubt)
    machine.spread([default, *(entry.value for entry in target.entries.values())], doubt)
    return read_item(machine, owner, args[0])


def _add(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    member = _only(machine, "add", args, named)
    target = _changeable(machine, owner)
    if not isinstance(target, SetObject):
        raise _misfit(machine, "add", owner)
    add(machine, target, member)
    return make(None, NOTHING)


_METHODS: dict[tuple[str, str], Method] = {
    **{("str", name): _text_to_text(name) for name in _TEXT_TO_TEXT},
    **{("str", name): _text_to_bool(name) for name in _TEXT_TO_BOOL},
    **{("str", name): _text_to_list(name) for name in _TEXT_TO_LIST},
    ("str", "join"): _join,
    ("list", "append"): _append,
    ("list", "extend"): _extend,
    ("list", "insert"): _insert,
    ("list", "pop"): _pop,
    ("list", "index"): _index,
    ("list", "count"): _count,
    ("list", "copy"): _copy,
    ("list", "reverse"): _reverse,
    ("list", "sort"): _sort,
    ("list", "clear"): _clear,
    ("tuple", "index"): _index,
    ("tuple", "count"): _count,
    ("dict", "get"): _get,
    ("dict", "keys"): _keys,
    ("dict", "values"): _values,
    ("dict", "items"): _items,
    ("dict", "update"): _update,
    ("dict", "setdefault"): _setdefault,
    ("dict", "pop"): _pop,
    ("dict", "copy"): _copy,
    ("dict", "clear"): _clear,
    ("set", "add"): _add,
    ("set", "clear"): _clear,
}

METHOD_NAMES = frozenset(name for _, name in _METHODS)
"""Every method of the language, for the check before running."""
TYPE_FUNCTIONS: dict[str, Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]] = {}
