"""Which figures of a result are kept for good: ratios and sizes, by which one day can be held against another. Never bare times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bench.newest import Result, subject_of

Figures = dict[str, float]


def figures_of(result: Result) -> Figures:
    """Names and figures, none where nothing of the kind is measured or the result has another form."""
    read = _READ.get(subject_of(result).name)
    if read is None:
        return {}
    try:
        return {name: round(float(figure), 4) for name, figure in read(result.found).items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}


def _language(found: Mapping[str, Any]) -> Figures:
    kept = [each["bytes_a_step"] for each in found.get("retained", ())]
    grown = [each["growth"] for each in found["ratios"] if each["growth"] is not None]
    return {
        "median, by CPython": found["median"],
        "largest, by CPython": found["largest"],
        **({"growth, largest": max(grown)} if grown else {}),
        **({"bytes a step, most": max(kept)} if kept else {}),
        **{f"{name}, in look-ups": ratio for name, ratio in found.get("joins", {}).get("in_look_ups", {}).items()},
    }


def _memory(found: Mapping[str, Any]) -> Figures:
    return {
        f"{each['loop']}, {each['trust']}, bytes a step": round(each["bytes_a_step"], 1) for each in found["retained"]
    }


def _labels(found: Mapping[str, Any]) -> Figures:
    return {f"{row['name']}, in look-ups": row["look_ups"] for row in found["rows"][1:]}


def _policy(found: Mapping[str, Any]) -> Figures:
    ratios = {f"{row['name']}, by a bare answer": row["ratio"] for row in found["rows"]}
    more = {
        f"{row['name']}, with a hundred rules more": row["with_a_hundred"] / row["microseconds"]
        for row in found["rows"]
    }
    return ratios | more


def _journal(found: Mapping[str, Any]) -> Figures:
    said = {
        "entry_by_insert": "an entry, by an insert",
        "encrypted_entry_by_insert": "an encrypted entry, by an insert",
        "listed_by_query": "a thousand runs listed, by a query",
        "encrypted_listed_by_query": "a thousand encrypted runs listed, by a query",
    }
    both = {**found["entry"], **found["list"]}
    return {text: both[name] for name, text in said.items() if name in both}


def _waiting(found: Mapping[str, Any]) -> Figures:
    databases = ("sqlite", "postgresql")
    return {
        f"kilobytes a waiting run, {name}": found[name]["kilobytes_of_memory_a_run"]
        for name in databases
        if name in found
    }


def _overlap(found: Mapping[str, Any]) -> Figures:
    overlap, waiting = found["overlap"], found["waiting"]
    return {
        f"{overlap['calls']} calls, by one": overlap["ratio"],
        "megabytes a waiting conversation": waiting["grown"] / waiting["conversations"],
    }


def _startup(found: Mapping[str, Any]) -> Figures:
    ratios = {f"{row['name']}, by an empty program": row["ratio"] for row in found["rows"][1:]}
    return ratios | {f"{row['name']}, modules": row["modules"] for row in found["rows"][1:]}


def _documents(found: Mapping[str, Any]) -> Figures:
    return {f"{row['name']}, by {row['base']}": row["ratio"] for row in found["rows"] if row["name"] != row["base"]}


def _mail_search(found: Mapping[str, Any]) -> Figures:
    return {f"{row['name']}, by a look through all texts": row["ratio"] for row in found["rows"]}


_READ: dict[str, Callable[[Mapping[str, Any]], Figures]] = {
    "language": _language,
    "memory": _memory,
    "labels": _labels,
    "policy": _policy,
    "journal": _journal,
    "journal-postgresql": _journal,
    "waiting": _waiting,
    "overlap": _overlap,
    "startup": _startup,
    "documents": _documents,
    "mail-search": _mail_search,
}
