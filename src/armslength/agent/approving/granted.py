"""A grant or an endorsement as it is kept, and as the one line that says exactly what it covers. What others named stands between marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from armslength.agent.approving.display import tame
from armslength.agent.showing.cleaning import clean_line
from armslength.policy.action import as_no_link
from armslength.policy.grants import DOUBT, STORE, Covers, Endorsement, Grant, Sources


def covers_to_json(covers: Covers) -> dict[str, Any]:
    """What it covers, beside the tool and its version."""
    match covers:
        case Endorsement():
            return {"parameter": covers.parameter, "value": covers.value}
        case Grant():
            return {
                "changes": covers.changes,
                "sources": {name: _to_json(each) for name, each in covers.sources.items()},
                "control": _to_json(covers.control),
                "receivers": sorted(covers.receivers),
                "is_undoable": covers.is_undoable,
            }


def covers_from_json(tool: str, version: str, stored: Mapping[str, Any]) -> Covers:
    """What it covers.

    Raises:
        ValueError: it is neither a grant nor an endorsement.
    """
    match stored:
        case {"parameter": str(parameter), "value": str(value), **rest} if not rest:
            return Endorsement(tool, version, parameter, value)
        case {
            "changes": str() | None as changes,
            "sources": dict(sources),
            "control": dict(control),
            "receivers": list(receivers),
            "is_undoable": bool(is_undoable),
            **rest,
        } if not rest:
            by_argument = {str(name): _from_json(each) for name, each in sources.items()}
            return Grant(tool, version, changes, by_argument, _from_json(control), _names(receivers), is_undoable)
        case _:
            raise ValueError("neither a grant nor an endorsement")


def _to_json(sources: Sources) -> dict[str, list[str]]:
    return {"data": sorted(sources.data), "choice": sorted(sources.choice)}


def _from_json(stored: object) -> Sources:
    match stored:
        case {"data": data, "choice": choice}:
            return Sources(_names(data), _names(choice))
        case _:
            raise ValueError("no sources")


def _names(stored: object) -> frozenset[str]:
    if not isinstance(stored, list) or not all(isinstance(name, str) for name in stored):
        raise ValueError("a list of names")
    return frozenset(stored)


def line_of(covers: Covers, when: str) -> str:
    """The line for a person. `when`: for how long, as `until_in_words` says it."""
    match covers:
        case Endorsement():
            return (
                f"{when}, do not ask whether {tame(clean_line(covers.parameter))} of {covers.tool} may be exactly "
                f"{_marked([covers.value])}; who may read what is asked about all the same"
            )
        case Grant():
            return f"{when}, do not ask about {covers.tool} {_reach(covers)}: {_origin(covers)}"


def until_in_words(scope: str, until: datetime | None) -> str:
    """For how long."""
    if scope == "run":
        return "in this run"
    return "until you revoke it" if until is None else f"until {until:%Y-%m-%d %H:%M}"


def _reach(grant: Grant) -> str:
    if grant.receivers:
        undoable = ", while it can be taken back" if grant.is_undoable else ""
        return f"to {_marked(sorted(grant.receivers))} and nobody else{undoable}"
    return (
        f"on this machine alone, where it changes {tame(clean_line(grant.changes or 'nothing'))} and can be taken back"
    )


def _origin(grant: Grant) -> str:
    """Arguments that may come from the same sources are named together."""
    written: dict[frozenset[str], list[str]] = {}
    chosen: dict[frozenset[str], list[str]] = {}
    for name, each in (*grant.sources.items(), (_WHETHER, grant.control)):
        shown = tame(clean_line(name))
        if each.data or name in grant.sources:
            written.setdefault(each.data, []).append(shown)
        if each.choice:
            chosen.setdefault(each.data | each.choice, []).append(shown)
    parts = [f"{', '.join(names)} in words of {_writers(each)}" for each, names in written.items()]
    parts += [f"{', '.join(names)} chosen by {_choosers(each)}" for each, names in chosen.items()]
    return f"{'; '.join(parts)}; it does not matter who could read that so far" if parts else "without arguments"


_WHETHER = "whether it happens"


def _writers(names: frozenset[str]) -> str:
    """A store is an author of nothing that a grant covers, but of whole things."""
    stores = _stores(names)
    others = [as_no_link(name) for name in sorted(names) if not name.startswith(STORE)]
    found = [_marked(others)] if others else []
    found += [f"whole things of the store {_marked(stores)}"] if stores else []
    return " and ".join([*found, "the program alone"])


def _stores(names: Iterable[str]) -> list[str]:
    return sorted(name.removeprefix(STORE) for name in names if name.startswith(STORE))


def _choosers(names: frozenset[str]) -> str:
    doubts = sorted(name.removeprefix(DOUBT) for name in names if name.startswith(DOUBT))
    stores = _stores(names)
    others = [as_no_link(name) for name in sorted(names) if not name.startswith((DOUBT, STORE))]
    found = [
        *([f"{_marked(others)} alone"] if others else []),
        *([f"what lies in the store {_marked(stores)}, in few bits"] if stores else []),
        *([f"whether {_marked(doubts)} works"] if doubts else []),
    ]
    return " and by ".join(found)


def _marked(names: Iterable[str]) -> str:
    return ", ".join(f"⟦{tame(clean_line(name))}⟧" for name in names)
