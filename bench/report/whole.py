"""All sections in their order, below a table of everything that is measured, and what was not."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.commit import RESULTS, ROOT
from bench.newest import Result, newest, subject_named
from bench.report import behaviour, campaigns, dojo, dojo_model, speed
from bench.report.blocks import Lines, Section, Table
from bench.report.history import Row
from bench.stale import later_than
from bench.subjects import SUBJECTS, Kind, Subject

_TOLD: dict[str, Callable[[str, Sequence[Result]], Section]] = {
    "laws": campaigns.laws,
    "mutants": campaigns.mutants,
    "fuzz": campaigns.fuzz,
    "policies": campaigns.policies,
    "crashes-sqlite": campaigns.crashes,
    "crashes-postgresql": campaigns.crashes,
    "language": speed.language,
    "memory": speed.memory,
    "labels": speed.labels,
    "policy": speed.policy,
    "journal": speed.journal,
    "journal-postgresql": speed.journal,
    "waiting": speed.waiting,
    "overlap": speed.overlap,
    "startup": speed.startup,
    "documents": speed.documents,
    "mail-search": speed.mail_search,
    "everyday": behaviour.everyday,
    "attacks": behaviour.attacks,
    "dojo": dojo.dojo,
    "dojo-model": dojo_model.dojo_model,
    "requests": behaviour.requests,
}
PARTS: dict[Kind, str] = {
    "behaviour": "What it does, and what attacks get",
    "campaign": "Campaigns",
    "speed": "Speed and size",
}


@dataclass(frozen=True, slots=True)
class Told:
    """A subject with its newest results and what they say. `section` is None where nothing was measured, or the form is another."""

    subject: Subject
    results: tuple[Result, ...]
    section: Section | None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All of it."""

    version: str
    day: str
    told: tuple[Told, ...]
    history: tuple[Row, ...]

    def of(self, kind: Kind) -> list[Told]:
        """The subjects of one part, in the order of `bench/subjects.py`."""
        return [each for each in self.told if each.subject.kind == kind]


def report(history: Sequence[Row], folder: Path = RESULTS) -> Report:
    """The newest results of every subject."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    told = tuple(_told(subject, newest(subject, folder)) for subject in SUBJECTS)
    day = max((result.day for each in told for result in each.results), default="never")
    return Report(version, day, told, tuple(history))


def _told(subject: Subject, results: Sequence[Result]) -> Told:
    if not results:
        return Told(subject, (), None, "not measured")
    try:
        return Told(subject, tuple(results), _TOLD[subject.name](subject.title, results))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return Told(subject, tuple(results), None, "its result has a form that this report does not read")


def overview(whole: Report) -> Table:
    """One line for each subject."""
    rows = [
        (each.subject.title, each.section.gist if each.section else each.why_not, state(each), *_when(each.results))
        for kind in PARTS
        for each in whole.of(kind)
    ]
    return Table(("what", "in short", "state", "measured", "commit"), tuple(rows))


def state(told: Told) -> str:
    """Whether it holds, of all or of a part, and whether the code has changed since."""
    if told.section is None:
        return ""
    words = [_VERDICTS[told.section.is_met]]
    words += ["in part"] if told.section.unmeasured else []
    later = [later_than(told.subject, result) for result in told.results]
    if any(isinstance(each, str) for each in later):
        words.append("age unknown")
    elif any(later):
        words.append("old")
    return ", ".join(words)


_VERDICTS = {True: "holds", False: "**not met**", None: "no bound"}
STATES = (
    "*Holds*: nothing that was tried broke what it is held to; *in part*: not all was tried, see below; *no bound*: it is held to nothing. "
    "*Old*: when this page was written, what it speaks of had changed since; `python -m bench.stale` says it of today."
)


def _when(results: Sequence[Result]) -> tuple[str, str]:
    return ", ".join(dict.fromkeys(each.day for each in results)), ", ".join(
        dict.fromkeys(each.commit[:9] for each in results)
    )


def source_of(told: Told) -> str:
    """Of what, when, on what and by which command, for the line below a title."""
    days, commits = _when(told.results)
    machines = "; ".join(dict.fromkeys(each.machine for each in told.results))
    files = ", ".join(f"`bench/results/{each.path.name}`" for each in told.results)
    return f"{days}, commit {commits}. Machine: {machines}. `python -m {told.subject.command}`; {files}."


def unmeasured(whole: Report) -> list[str]:
    """Sentences on what is missing."""
    found = [
        f"{each.subject.title}: {each.why_not} (`python -m {each.subject.command}`)."
        for each in whole.told
        if each.section is None
    ]
    found += [
        f"{each.subject.title}: {part}." for each in whole.told if each.section for part in each.section.unmeasured
    ]
    found += [
        f"{each.subject.title}: `{result.path.name}` is of sources that were not committed."
        for each in whole.told
        for result in each.results
        if not result.is_committed
    ]
    return [*found, *ALWAYS]


ALWAYS = (
    "Other machines: all figures are of one machine, whose cores other work shared. Ratios suffer less from that than times do.",
    "Other models: what a planner or reader gets right is told only of those that a result names.",
    "Other Pythons: all figures are of one, which each result names.",
)
"""What no result says, and nobody should read into them."""


def plots(whole: Report) -> list[tuple[str, Lines]]:
    """How the kept figures went, a plot for each name that was measured, with the title of its subject, in their order."""
    names = dict.fromkeys(row.name for row in whole.history)
    known = [(name, subject) for name in names if (subject := subject_named(name)) is not None]
    known.sort(key=lambda each: (SUBJECTS.index(each[1]), each[0]))
    return [
        (subject.title if name == subject.name else f"{subject.title} ({name})", history_of(name, whole.history))
        for name, subject in known
    ]


def history_of(name: str, history: Sequence[Row]) -> Lines:
    """The figures of one name over all its measurements."""
    rows = [row for row in history if row.name == name]
    ticks = tuple(f"{row.date[:10]} {row.commit[:7]}" for row in rows)
    figures = dict.fromkeys(figure for row in rows for figure in row.figures)
    lines = tuple(
        (figure, tuple((at, row.figures[figure]) for at, row in enumerate(rows) if figure in row.figures))
        for figure in figures
    )
    return Lines(name, ticks, lines)
