"""What campaigns say, a section each: what was tried, what came of it, and what of it was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bench.newest import Result
from bench.report.blocks import Block, Section, Table, counted


def laws(title: str, results: Sequence[Result]) -> Section:
    """Random programs under the laws: of all results that are given, each program counted once."""
    parts = _apart([each.found for each in results])
    programs, runs, problems = (sum(each[name] for each in parts) for name in ("programs", "runs", "problems"))
    ends = Counter[str]()
    for each in parts:
        ends.update(each["ends"])
    rows: list[tuple[str, int]] = [("programs", programs), ("runs of them, each on other inputs", runs)]
    rows += [(f"programs that {how}", count) for how, count in sorted(ends.items())]
    rows.append(("programs that broke a law", problems))
    drawn = " and ".join(f"{each['programs']:,} from seed {each['seed']} on" for each in parts)
    text = f"Random programs, {drawn}; each runs on variations of its untrusted and its secret inputs, and all laws are checked."
    return Section(
        title,
        (text, Table(("what", "count"), tuple(rows))),
        f"{problems:,} of {programs:,} programs broke a law",
        _left({"asked": max(each["asked"] for each in parts), "programs": programs}, "programs"),
        not problems,
    )


def _apart(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those that draw none of a program that one before drew: a program's seed is its campaign's and its place in it."""
    parts = list[Mapping[str, Any]]()
    for each in sorted(found, key=lambda one: (one["seed"], -one["programs"])):
        if not parts or each["seed"] >= parts[-1]["seed"] + parts[-1]["programs"]:
            parts.append(each)
    return parts


def mutants(title: str, results: Sequence[Result]) -> Section:
    """What is switched off, and which law notices."""
    found = results[0].found
    rows: list[tuple[str, int]] = [("mutants tried", found["mutants"]), ("killed by a law", found["killed"])]
    rows += [(f"first by law ({law})", count) for law, count in found["killed_by_law"].items()]
    rows += [
        ("survive", found["problems"]),
        ("left out, as no run can tell them from the language", found["equivalent"]),
    ]
    text = f"One join, guard or rule of labels is switched off; directed programs and random ones from seed {found['seed']} on are to break a law."
    blocks: list[Block] = [text, Table(("what", "count"), tuple(rows))]
    blocks += [f"**Survivors**: {', '.join(found['survivors'])}."] if found["survivors"] else []
    gist = f"{found['problems']:,} of {found['mutants']:,} survive"
    return Section(title, tuple(blocks), gist, _left(found, "mutants"), not found["problems"])


def fuzz(title: str, results: Sequence[Result]) -> Section:
    """Any text as a program."""
    found = results[0].found
    rows: list[tuple[str, int | float]] = [("programs", found["programs"]), ("seconds", found["seconds"])]
    rows += [(f"ended with {end}" if end != "ran" else "ran", count) for end, count in sorted(found["ends"].items())]
    rows += [("arcs reached", found["arcs"]), ("programs kept, as they reached new ones", found["kept"])]
    rows += [("the slowest, s", found["slowest_seconds"]), ("ended as none may", found["problems"])]
    text = f"Guided by {found['guided_by']}, seed {found['seed']}. Whatever is no error of ours is a finding. The ends include those of the corpus."
    gist = f"{counted(found['problems'], 'finding')} in {found['programs']:,} programs"
    return Section(title, (text, Table(("what", "count"), tuple(rows))), gist, is_met=not found["problems"])


def policies(title: str, results: Sequence[Result]) -> Section:
    """Random policies with a rule more."""
    found = results[0].found
    rows: list[tuple[str, int]] = [("policies", found["policies"]), ("calls decided by both", found["decisions"])]
    rows += [(change, count) for change, count in found["changes"].items()]
    rows += [
        ("became wider, or kept quiet about a rule", found["problems"]),
        ("drawn rules that were refused as they were read", found["refused_rules"]),
    ]
    text = (
        f"A part of the shipped rules, or all, with random rules, from seed {found['seed']} on; one or two more are added at any place. "
        "No call may come out looser."
    )
    gist = f"{found['problems']:,} of {found['decisions']:,} decisions became wider"
    return Section(title, (text, Table(("before -> after", "count"), tuple(rows))), gist, is_met=not found["problems"])


def crashes(title: str, results: Sequence[Result]) -> Section:
    """Runs that are killed at each entry, results of parts together."""
    head = ("run", "entries", "kills", "said that it cannot tell", "problems")
    runs = {name: row for result in results for name, row in result.found["runs"].items()}
    rows = tuple(
        (name, row["entries"], row["kills"], row["said_that_it_cannot_tell"], len(row["problems"]))
        for name, row in runs.items()
    )
    not_run = [name for name in results[-1].found.get("not_run", ()) if name not in runs]
    kills, problems = sum(row["kills"] for row in runs.values()), sum(len(row["problems"]) for row in runs.values())
    text = "Each run is killed before and after each entry and whenever it waits for the disk, and goes on; some of those that go on are killed, too."
    left = (f"the runs {', '.join(not_run)}",) if not_run else ()
    gist = f"{counted(problems, 'problem')} after {counted(kills, 'kill')}"
    return Section(title, (text, Table(head, rows)), gist, left, not problems)


def _left(found: Mapping[str, Any], what: str) -> tuple[str, ...]:
    left = found["asked"] - found[what]
    return (f"{left:,} of {found['asked']:,} {what}: time was up",) if left > 0 else ()
