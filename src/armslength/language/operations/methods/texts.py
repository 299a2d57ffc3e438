"""Methods of text: row "construct" over the text and the arguments, row "test" where the result is a bool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from armslength.labels import NOTHING, Label, construct, tested
from armslength.language.machine import Machine
from armslength.language.operations import templates
from armslength.language.operations.characters import whole
from armslength.language.operations.elements import sequence, walk_label
from armslength.language.operations.library.arguments import note_held
from armslength.language.operations.methods.arguments import Method, misfit, only
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import text_label, united, unmixed
from armslength.language.operations.writing import put
from armslength.values import DictObject, Key, TupleObject, Value, key_of, make, unwrap

_TEXT_TO_TEXT: dict[str, Callable[..., object]] = {
    name: getattr(str, name)
    for name in (
        "capitalize", "casefold", "lower", "upper", "title", "swapcase", "strip", "lstrip", "rstrip",
        "removeprefix", "removesuffix", "replace", "zfill", "ljust", "rjust", "center", "expandtabs",
        "find", "rfind", "index", "rindex", "count",
    )
}  # fmt: skip
_TEXT_TO_BOOL: dict[str, Callable[..., bool]] = {
    name: getattr(str, name)
    for name in (
        "startswith", "endswith", "isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric", "islower", "isupper",
        "isspace", "istitle", "isidentifier", "isascii", "isprintable",
    )
}  # fmt: skip
_TEXT_TO_LIST: dict[str, Callable[..., object]] = {
    name: getattr(str, name) for name in ("split", "rsplit", "splitlines", "partition", "rpartition")
}
_ALONE = frozenset({
    "capitalize", "casefold", "lower", "upper", "title", "swapcase", "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines",
})  # fmt: skip
"""What never fails without arguments, and makes at most three characters of one."""


def _plain_arguments(
    machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]
) -> tuple[list[object], dict[str, object]]:
    """Scalars, or for `startswith` a tuple of texts; nothing else reaches a method of Python's own."""
    note_held(machine, *args, *named.values())

    def plain(value: Value) -> object:
        raw = unwrap(unmixed(value))
        if isinstance(raw, TupleObject):
            machine.spend_elements(len(raw.items))
            texts = tuple(unwrap(unmixed(item)) for item in raw.items)
            if not all(isinstance(text, str) for text in texts):
                raise misfit(machine, name, value)
            return texts
        if raw is not None and type(raw) not in (bool, int, str):
            raise misfit(machine, name, value)
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
    if not args and not named and name in _ALONE:
        machine.spend(3 * len(text))
        return python(text)
    plain, keywords = _plain_arguments(machine, name, args, named)
    machine.spend(_cost(name, text, [*plain, *keywords.values()]))
    try:
        return python(text, *plain, **keywords)
    except TypeError:
        raise misfit(machine, name, owner, *args, *named.values()) from None
    except (ValueError, OverflowError):
        raise machine.failed(
            "value", f"{name} found nothing it can use", owner.label, *(v.label for v in args)
        ) from None


def _cost(name: str, text: str, plain: list[object]) -> int:
    """An upper bound of the characters that the call makes."""
    if name in ("zfill", "ljust", "rjust", "center"):
        return len(text) + max([part for part in plain if isinstance(part, int)], default=0)
    if name == "expandtabs":
        return len(text) + text.count("\t") * max([8, *(part for part in plain if isinstance(part, int))])
    if name == "replace" and len(plain) >= 2 and isinstance(plain[0], str) and isinstance(plain[1], str):
        most = plain[2] if len(plain) > 2 and isinstance(plain[2], int) and plain[2] >= 0 else len(text) + 1
        return len(text) + min(text.count(plain[0]), most) * len(plain[1])
    return 3 * len(text)


def _made_label(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Label:
    """Row "construct" over the text and the arguments."""
    if not args and not named:
        return text_label(machine, owner)
    return construct(*(text_label(machine, each) for each in (owner, *args, *named.values())))


def _text_to_text(name: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        result = _call_text(machine, name, _TEXT_TO_TEXT[name], owner, args, named)
        label = _made_label(machine, owner, args, named)
        return make(result, label)  # type: ignore[arg-type]  # text or a number

    return method


def _text_to_bool(name: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        result = _call_text(machine, name, _TEXT_TO_BOOL[name], owner, args, named)
        return make(bool(result), tested(*(text_label(machine, each) for each in (owner, *args, *named.values()))))

    return method


def _text_to_list(name: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        result = _call_text(machine, name, _TEXT_TO_LIST[name], owner, args, named)
        label = _made_label(machine, owner, args, named)
        items = [make(piece, label) for piece in result]  # type: ignore[attr-defined]  # a list or tuple of text
        machine.spend_elements(len(items))
        if isinstance(result, tuple):
            return make(TupleObject(items, label), NOTHING)
        return sequence(items, label)

    return method


def _join(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    source = unmixed(only(machine, "join", args, named))
    shape = walk_label(source)
    pieces = [unmixed(piece) for piece in walk_all(machine, source)]
    label = united([owner.label, shape, *(piece.label for piece in pieces)])
    machine.may_raise(label)
    texts = [text for piece in pieces if isinstance(text := unwrap(piece), str)]
    if len(texts) != len(pieces):
        raise machine.failed("type", "join takes texts only; use str(x) for the others", label)
    separator = str(unwrap(owner))
    machine.spend(sum(map(len, texts)) + len(separator) * len(texts))
    return make(separator.join(texts), label)


def _format(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    return templates.fill(machine, owner, args, named)


def _format_map(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    return templates.fill(machine, owner, (), only(machine, "format_map", args, named))


def _translate(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    given = only(machine, "translate", args, named)
    table, text = unwrap(given), str(unwrap(owner))
    label = construct(text_label(machine, owner), text_label(machine, given))
    machine.may_raise(label)
    if not isinstance(table, DictObject):
        raise misfit(machine, "translate", given)
    coded = {key: each for key, each in table.entries.items() if isinstance(unwrap(unmixed(each.key)), int)}
    plain = _Table({key: unwrap(unmixed(each.value)) for key, each in coded.items()})
    if not all(each is None or type(each) in (str, int) for each in plain.by_key.values()):
        raise misfit(machine, "translate", given)
    widest = max((len(each) for each in plain.by_key.values() if isinstance(each, str)), default=1)
    machine.spend(len(plain.by_key) + len(text) * widest)
    try:
        return make(whole(machine, text.translate(plain), label), label)  # type: ignore[arg-type]  # by the line's own test
    except (ValueError, OverflowError):
        raise machine.failed("value", "translate found no character", label) from None


def make_table(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`str.maketrans`: of two texts of one length and one of what goes, or of a dict of single characters."""
    note_held(machine, *args)
    label = construct(*(text_label(machine, each) for each in args))
    raws = [unwrap(unmixed(each)) for each in args]
    if len(raws) == 1 and isinstance(raws[0], DictObject):
        found: list[tuple[object, object]] = [
            (unwrap(entry.key), unwrap(unmixed(entry.value))) for entry in raws[0].entries.values()
        ]
    elif len(raws) in (2, 3) and all(isinstance(raw, str) for raw in raws):
        if len(str(raws[0])) != len(str(raws[1])):
            raise machine.failed("value", "the texts of str.maketrans are of one length", label)
        found = [
            *zip(str(raws[0]), map(ord, str(raws[1])), strict=True),
            *((gone, None) for gone in "".join(map(str, raws[2:]))),
        ]
    else:
        raise misfit(machine, "str.maketrans", *args)
    made = DictObject(label)
    for key, value in found:
        if not (isinstance(key, int) or (isinstance(key, str) and len(key) == 1)) or type(value) not in (
            type(None),
            int,
            str,
        ):
            raise misfit(machine, "str.maketrans", *args)
        put(machine, made, make(ord(key) if isinstance(key, str) else key, label), make(value, label))  # type: ignore[arg-type]  # by the line's own test
    return make(made, NOTHING)


class _Table:
    """What stands for each character, found as in the dict that the program gave."""

    __slots__ = ("by_key",)

    def __init__(self, by_key: Mapping[Key, object]) -> None:
        self.by_key = by_key

    def __getitem__(self, code: int) -> object:
        return self.by_key[key_of(make(code, NOTHING))]


METHODS: dict[tuple[str, str], Method] = {
    **{("str", name): _text_to_text(name) for name in _TEXT_TO_TEXT},
    **{("str", name): _text_to_bool(name) for name in _TEXT_TO_BOOL},
    **{("str", name): _text_to_list(name) for name in _TEXT_TO_LIST},
    ("str", "join"): _join,
    ("str", "format"): _format,
    ("str", "format_map"): _format_map,
    ("str", "translate"): _translate,
}
