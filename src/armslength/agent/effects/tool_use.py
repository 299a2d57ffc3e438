"""A tool's result: one error line whatever it raises, JSON at the boundary, labels joined with what the arguments leave in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from armslength.agent.outside.boundary import Entrance
from armslength.errors import ArmslengthError, ToolError, ToolMisdeclared, WrongResult
from armslength.events import Trust, labelled_from_json, labelled_to_json, with_claims
from armslength.labels import NOTHING, SATURATED, Label, construct, keying, steered
from armslength.schema import ListOf, Menu, OptionalOf, RecordType, Scalar, Type
from armslength.tools.base import Tool, ToolCall
from armslength.values import Labelled, Plain, Value, admit


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool. `call.labels` is what it writes into a ledger, `labels` what a result may contain."""

    tool: Tool
    arguments: dict[str, Plain]
    call: ToolCall
    labels: Mapping[str, Label]
    trust: Trust

    def cross(self, entrance: Entrance) -> Plain:
        """Run the tool; its result as JSON that `admitted` takes.

        Raises:
            ToolError: it failed, or gave what it does not declare.
        """
        asked = json.loads(json.dumps(self.arguments))
        return entrance.cross("tool", self.tool.name, asked, lambda: _run_safely(self, json.loads(json.dumps(asked))))

    def admitted(self, answered: Plain) -> Value:
        """The value of a result, labelled by the tool and by what the arguments leave in it.

        Raises:
            ToolError: it is of another type than declared.
        """
        return admit(relabelled(_decoded(self, answered), self.tool, self.labels))


def record_types(declared: Type) -> dict[str, RecordType]:
    """Every record type in a declared type, by name."""
    match declared:
        case ListOf(inner) | OptionalOf(inner):
            return record_types(inner)
        case RecordType(name, fields):
            found = {name: declared}
            for each in fields:
                found |= record_types(each.type)
            return found
        case _:
            return {}


def _is_of(declared: Type, found: Labelled) -> bool:
    """Whether a result is what the planner and the check before the run were told of it. An int does for a float."""
    match declared, found.data:
        case OptionalOf(), None:
            return True
        case OptionalOf(inner), _:
            return _is_of(inner, found)
        case ListOf(item), tuple() as items:
            return all(_is_of(item, each) for each in items)
        case RecordType(_, fields), dict() as parts:
            return found.record == declared and all(_is_of(each.type, parts[each.name]) for each in fields)
        case Menu(choices), str() | int() as chosen:
            return any(type(chosen) is type(each) and chosen == each for each in choices)
        case Scalar("Any"), _:
            return True
        case Scalar(name), scalar:
            return type(scalar) in _SCALARS[name]
        case _:
            return False


_SCALARS: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "None": (type(None),),
}


def relabelled(result: Labelled, tool: Tool, labels: Mapping[str, Label]) -> Labelled:
    """What the arguments leave in a result: choice where it was picked by them, everything where it may contain them."""
    if tool.picks:
        gain = NOTHING
        for label in labels.values():
            gain = steered(gain, keying(label, SATURATED))
        return _mapped(result, lambda label: steered(label, gain))
    return _mapped(result, lambda label: construct(label, *labels.values()))


def _mapped(given: Labelled, change: Callable[[Label], Label]) -> Labelled:
    match given.data:
        case tuple() as items:
            return Labelled(tuple(_mapped(item, change) for item in items), change(given.label))
        case dict() as named:
            parts = {name: _mapped(part, change) for name, part in named.items()}
            return Labelled(parts, change(given.label), given.record)
        case scalar:
            return Labelled(scalar, change(given.label))


def _run_safely(use: ToolUse, arguments: dict[str, Plain]) -> Plain:
    """The tool's result as JSON that can be read back, or one error line, whatever it raises or returns.

    Raises:
        ToolMisdeclared: an effect was made, and what it gave is of another type than declared.
        ToolError: it failed, or a read gave what it does not declare.
    """
    try:
        return _encoded(use, use.tool.run(use.call, arguments))
    except WrongResult as error:
        if use.tool.is_effect:
            raise ToolMisdeclared(
                f"{use.tool.name} was carried out, but gave a result of another type than it declares; look at what it did before you "
                "ask again, and tell whoever made it"
            ) from error
        raise
    except ArmslengthError:
        raise
    except (Exception, SystemExit) as error:
        raise ToolError(f"{use.tool.name} failed: {type(error).__name__}") from error


def _encoded(use: ToolUse, result: Labelled) -> Plain:
    try:
        found = cast("Plain", json.loads(json.dumps(labelled_to_json(_mapped(result, with_claims)))))
    except Exception as error:
        raise WrongResult(f"{use.tool.name} gave a result that cannot be stored") from error
    _decoded(use, found)
    return found


def _decoded(use: ToolUse, answered: Plain) -> Labelled:
    records = record_types(use.tool.signature.returns)
    try:
        found = labelled_from_json(cast("dict[str, object]", answered), records, use.trust)
        admit(found)
        if not _is_of(use.tool.signature.returns, found):
            raise TypeError
    except (TypeError, ValueError, KeyError, RecursionError) as error:
        raise WrongResult(f"{use.tool.name} gave a result of another type than it declares") from error
    return found
