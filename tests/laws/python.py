"""Random programs under CPython, with the tools of the world as plain functions: the generator's own mistakes show before the language's."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from tests.laws.world import EMAIL, SIGNATURES, Inputs, World, answered


class _Named:
    """A record: compared by its fields, shown by them."""

    def __init__(self, **fields: object) -> None:
        self.__dict__.update(fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None

    def __getitem__(self, name: str) -> object:
        return self.__dict__[name]


class BaseModel(_Named):
    """As much of a schema class as programs use."""

    def __init__(self, *args: object, **named: object) -> None:
        names = typing.get_type_hints(type(self))
        given = dict(zip(names, args, strict=False)) | named
        super().__init__(**{name: given[name] if name in given else getattr(type(self), name) for name in names})


def run_in_python(source: str, inputs: Inputs) -> dict[str, object]:
    """The program's names at its end; whatever it raises passes through."""
    world, kept = World(inputs), dict[str, object]()
    names: dict[str, object] = {
        "BaseModel": BaseModel, "dataclass": dataclass, "Enum": Enum, "Literal": typing.Literal, "Optional": typing.Optional,
        "quarantined": lambda instruction, *data, returns=str: _answer(world, returns, f"{instruction} {data}"),
        **dict.fromkeys(("send", "emit", "answer", "print"), lambda *args, **named: None),
        **{each.name: _tool(world, each.name) for each in SIGNATURES if each.name not in ("send", "emit", "put_under", "got_under")},
        "put_under": kept.__setitem__, "got_under": lambda key: kept.get(key, 0),
    }  # fmt: skip
    code = compile(source, "program", "exec", dont_inherit=True)
    sys.settrace(_counting(MOST_LINES))
    try:
        exec(code, names)
    finally:
        sys.settrace(None)
    return names


MOST_LINES = 100_000
"""Lines that a program runs here; one that goes through a list which it makes longer has no end."""


class TooLong(Exception):
    """The program went on and on."""


def _counting(left: int) -> Callable[..., Any]:
    def trace(frame: types.FrameType, event: str, argument: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLong
        return trace

    return trace


def _tool(world: World, name: str) -> Callable[..., object]:
    def called(which: int = 0) -> object:
        return _plain(world._result(name, which).plain())

    return called


def _plain(data: object) -> object:
    match data:
        case dict() if set(data) == {each.name for each in EMAIL.fields}:
            return _Named(**data)
        case list():
            return [_plain(item) for item in data]
        case _:
            return data


def _answer(world: World, returns: object, text: str) -> object:
    return _of(returns, sum(map(ord, text)) + world._u(0))


def _of(returns: object, number: int) -> object:
    inside = typing.get_args(returns)
    match typing.get_origin(returns):
        case typing.Literal:
            return inside[number % len(inside)]
        case typing.Union | types.UnionType:
            return None if number % 3 == 0 else _of(inside[0], number)
        case origin if origin is list:
            return [_of(inside[0], number + at) for at in range(number % 3)]
        case _:
            pass
    if isinstance(returns, type) and issubclass(returns, Enum):
        return list(returns)[number % len(returns)]
    if isinstance(returns, type) and issubclass(returns, BaseModel):
        hints = typing.get_type_hints(returns)
        return returns(**{name: _of(each, number + at) for at, (name, each) in enumerate(hints.items())})
    return answered(returns, number)
