"""The report: it says what the results say, and where there is none, or one of another form, that. Nothing is measured here."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from bench.commit import RESULTS
from bench.newest import listed
from bench.report import history, plots, whole
from bench.report.__main__ import QUICK, TEXT
from bench.report.blocks import Bars, Lines, Section, Table, shown
from bench.report.figures import figures_of
from bench.report.history import Row
from bench.report.markdown import markdown
from bench.report.page import POLICY, STYLE, page
from bench.report.whole import Report, Told, report, unmeasured
from bench.subjects import SUBJECTS

AGAIN = "write it anew: python -m bench.report"


def test_the_page_of_results_says_what_the_newest_results_say() -> None:
    """docs/results.md is nobody's handwriting. What is old changes with each commit, so that is as it was when the page was written."""
    assert ageless(TEXT.read_text("utf-8")) == ageless(markdown(report(history.kept()))), AGAIN


def ageless(text: str) -> str:
    return re.sub(r", (?:old|age unknown)(?= \|)", "", text)


def told_of(whole: Report, name: str) -> Told:
    (told,) = [each for each in whole.told if each.subject.name == name]
    return told


@pytest.mark.parametrize(
    ("is_met", "left", "later", "expected"),
    [
        (True, (), [], "holds"),
        (True, (), ["1234567"], "holds, old"),
        (False, (), [], "**not met**"),
        (False, ("half",), ["1234567"], "**not met**, in part, old"),
        (True, ("half",), "git is not there", "holds, in part, age unknown"),
        (None, (), [], "no bound"),
    ],
)
def test_the_first_table_hides_no_miss_and_no_age(
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_met: bool | None,
    left: tuple[str, ...],
    later: list[str] | str,
    expected: str,
) -> None:
    """Beside what a result says stands whether it holds, of how much, and whether the code has changed since."""
    monkeypatch.setattr(whole, "later_than", lambda _subject, _result: later)
    found = told_of(report([]), "everyday")
    assert found.section is not None
    section = replace(found.section, is_met=is_met, unmeasured=left)
    told = replace(found, section=section)
    assert whole.state(told) == expected
    only = replace(report([]), told=(told,))
    assert f"{section.gist} | {expected} | 2026-" in markdown(only)
    assert whole.state(replace(told, section=None)) == ""


def test_a_law_that_did_not_notice_is_a_miss(tmp_path: Path) -> None:
    """One survivor of many is no success."""
    (result,) = [each for each in listed() if each.path.name == "2026-11-30-mutants-4565d0108.json"]
    for survivors, expected in ((["x"], False), ([], True)):
        content = result.found | {"problems": len(survivors), "survivors": survivors}
        (tmp_path / result.path.name).write_text(json.dumps(content), "utf-8")
        section = told_of(empty(tmp_path), "mutants").section
        assert section is not None
        assert section.is_met is expected


def test_the_history_has_each_result_that_has_figures() -> None:
    """Each once, and with the figures that the result has."""
    rows = history.kept()
    assert history.missing(listed(), rows) == [], AGAIN
    assert len({row.key for row in rows}) == len(rows)
    kept = {row.key: row.figures for row in rows}
    for result in listed():
        if result.is_committed and figures_of(result):
            assert kept[history.row_of(result).key] == figures_of(result), result.path.name


def test_the_history_is_only_added_to(tmp_path: Path) -> None:
    """Lines that are there stay as they are, also if nothing is left of their result."""
    path = tmp_path / "history.jsonl"
    line = json.dumps({"name": "labels", "date": "2025-01-01", "commit": "aaaaaaa", "figures": {"x": 1.5}}) + "\n"
    path.write_text(line, "utf-8")
    rows = history.add(path)
    assert path.read_text("utf-8").startswith(line)
    assert rows[0] == Row("labels", "2025-01-01", "aaaaaaa", {"x": 1.5})
    assert history.kept(path) == rows
    assert history.add(path) == rows


def empty(tmp_path: Path) -> Report:
    return report([], tmp_path)


def test_where_there_is_no_result_it_says_so(tmp_path: Path) -> None:
    """Every subject is named as not measured, in the text and on the page."""
    whole = empty(tmp_path)
    text, drawn = markdown(whole), page(whole)
    for subject in SUBJECTS:
        assert f"- {subject.title}: not measured (`python -m {subject.command}`)." in text
        assert f"<h3>{subject.title}</h3><p>Not measured.</p>" in drawn


@pytest.mark.parametrize("name", [each.name for each in SUBJECTS])
@pytest.mark.parametrize("content", ["{}", "[]", '{"rows": 3, "sums": [], "found": null}', '{"sums": {"a": {"b": 1}}}'])
def test_a_result_of_another_form_is_no_error(tmp_path: Path, name: str, content: str) -> None:
    """Others write their results as they like; the report says that it does not read one."""
    (tmp_path / f"2026-11-30-{name}-aaaaaaa.json").write_text(content, "utf-8")
    whole = empty(tmp_path)
    (told,) = [each for each in whole.told if each.results]
    assert told.section is None
    assert told.why_not == "its result has a form that this report does not read"
    assert told.subject.title in page(whole)


def test_laws_go_on_and_count_no_program_twice(tmp_path: Path) -> None:
    """What a campaign drew where another had ended is added; what was drawn before is not."""
    for name, seed, programs in (("laws", 100, 40), ("laws-100", 100, 25), ("laws-140", 140, 30)):
        found = {"seed": seed, "asked": 100, "programs": programs, "runs": 10 * programs, "problems": 0}
        content = json.dumps({**found, "ends": {"ended": programs}})
        (tmp_path / f"2026-11-30-{name}-aaaaaaa.json").write_text(content, "utf-8")
    section = told_of(empty(tmp_path), "laws").section
    assert section is not None
    assert section.gist == "0 of 70 programs broke a law"
    assert section.unmeasured == ("30 of 100 programs: time was up",)
    assert "40 from seed 100 on and 30 from seed 140 on" in str(section.blocks[0])


def test_what_is_left_out_is_named() -> None:
    """What a section says was not measured, results of sources that were not committed, and what no result can say."""
    whole = report([])
    (told,) = [each for each in whole.told if each.subject.name == "everyday"]
    assert told.section is not None
    left = replace(told, section=replace(told.section, unmeasured=("half of it",)))
    changed = [
        replace(result, path=RESULTS / "2026-11-30-everyday-123456789-changed-abcdef.json") for result in told.results
    ]
    for each in changed:
        each.__dict__["found"] = {"sums": {}}
    lines = unmeasured(replace(whole, told=(left, replace(told, results=tuple(changed)))))
    assert lines[:2] == [
        "Forty everyday requests: half of it.",
        "Forty everyday requests: `2026-11-30-everyday-123456789-changed-abcdef.json` is of sources that were not committed.",
    ]
    assert any(line.startswith("Other machines") for line in lines)


class Elements(HTMLParser):
    """Every element of a page with its attributes, and whether all were closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def elements(text: str) -> Elements:
    found = Elements()
    found.feed(text)
    return found


ALLOWED = frozenset(
    "html head meta title style body h1 h2 h3 p ul li div table tr th td code strong svg rect text line polyline circle".split()
)


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    """Its elements are of a list without scripts, links and pictures; no attribute names an address or an event."""
    text = page(report(history.kept()))
    found = elements(text)
    assert found.open == []
    assert {tag for tag, _ in found.met} <= ALLOWED
    names = {name for _, attributes in found.met for name in attributes}
    assert not any(name.startswith("on") or name in {"src", "href", "style", "xlink:href"} for name in names)
    assert "url(" not in text
    assert "@import" not in text
    policies = [
        attributes.get("content") for tag, attributes in found.met if tag == "meta" and "http-equiv" in attributes
    ]
    assert policies == [POLICY]
    assert text.count("<style>") == 1
    assert f"<style>{STYLE}</style>" in text


def test_what_a_result_says_is_text_on_the_page(tmp_path: Path) -> None:
    """A name in a result is no mark of the page's."""
    row = {"case": "<script>x</script>", "labels": "on", "has_happened": False}
    (tmp_path / "2026-11-30-attacks-aaaaaaa.json").write_text(json.dumps({"sums": {"a|b": 1}, "rows": [row]}), "utf-8")
    whole = empty(tmp_path)
    assert "&lt;script&gt;x&lt;/script&gt;" in page(whole)
    assert {tag for tag, _ in elements(page(whole)).met} <= ALLOWED
    assert "| a\\|b | 1 |" in markdown(whole)


def test_attacks_are_told_with_what_holds_them(tmp_path: Path) -> None:
    """The headline has denials and questions apart, and what a yes makes of them; a rule that nothing misses is named, and one that nobody took out is not measured."""
    row = {
        "case": "a",
        "labels": "on",
        "has_happened": False,
        "person": "absent",
        "ending": "denied",
        "verdicts": ["deny"],
    }
    asked = row | {"ending": "declined", "verdicts": ["ask"]}
    found = {"sums": {}, "rows": [row, asked, row | {"labels": "off", "has_happened": True}]}
    path = tmp_path / "2026-11-30-attacks-aaaaaaa.json"
    path.write_text(json.dumps(found), "utf-8")
    held = "0 of 2 runs happened with labels on (1 denied, 1 asked about with nobody there to say yes)"
    assert f"| {held}; 1 with labels off | holds, in part" in markdown(empty(tmp_path))
    gone = {"rule": "r", "statement": 2, "runs": 2, "happened": 0, "unasked": 0, "loosened": 0}
    path.write_text(
        json.dumps(
            found
            | {"accepted": [asked | {"has_happened": True}], "without": [gone, gone | {"statement": 0, "happened": 1}]}
        ),
        "utf-8",
    )
    text = markdown(empty(tmp_path))
    said = "1 of the 1 attacks that are run with nobody there alone happen with a person who says yes to everything"
    assert f"| {held}; {said}; 1 with labels off | holds, age unknown |" in text
    assert "| a | 1 of 1 | 0 of 2 | happens |" in text
    assert "| r, statement 2 | 2 | 0 | 0 | 0 | nothing in the corpus misses it |" in text
    assert "| r | 2 | 1 | 0 | 0 |  |" in text
    path.write_text(json.dumps(found | {"rows": [row | {"ending": "stopped", "verdicts": []}]}), "utf-8")
    assert "(1 ended by an error of the program); 0 with labels off | **not met**" in markdown(empty(tmp_path))


def test_figures_of_suites_stand_beside_each_other(tmp_path: Path) -> None:
    """A table for each part of AgentDojo's figures, a column for each suite; a figure that one suite lacks is a dash."""
    sums = {
        "banking": {"pairs": {"goal met": 0, "forms": 3}},
        "all": {"mended": {"tasks": 2}, "pairs": {"goal met": 1}},
    }
    (tmp_path / "2026-11-30-dojo-aaaaaaa.json").write_text(json.dumps({"sums": sums}), "utf-8")
    text = markdown(empty(tmp_path))
    assert "|  | banking | all |\n| --- | ---: | ---: |\n| goal met | 0 | 1 |\n| forms | 3 | – |" in text
    assert "| tasks | – | 2 of 97 |" in text


def part_of_dojo(tmp_path: Path, tasks: int, pairs: int) -> str:
    """The text of a report on a run of some of the bank's tasks and pairs."""
    ran = {
        "mended": {"tasks": tasks, "solved without a question": tasks, "solved with a question": 0},
        "pairs": {"pairs": pairs, "goal met, careful": 0, "goal met, accepting": 0},
    }
    none = {part: dict.fromkeys(figures, 0) for part, figures in ran.items()}
    sums = {"banking": ran, "slack": none, "travel": none, "workspace": none, "all": ran}
    (tmp_path / "2026-11-30-dojo-part-aaaaaaa.json").write_text(json.dumps({"sums": sums}), "utf-8")
    return markdown(empty(tmp_path))


def test_a_part_of_agentdojo_reads_as_a_part(tmp_path: Path) -> None:
    """How many of all, and of which suites; what was not run is no zero, and is named as not measured."""
    text = part_of_dojo(tmp_path, 16, 0)
    assert (
        "| 16 of 97 tasks (banking only), 16 solved with a careful person, 16 of them without a question; pairs not measured |"
        in text
    )
    assert "| tasks | 16 | 0 of 21 | 0 of 20 | 0 of 40 | 16 of 97 |" in text
    assert "| solved with a question | 0 | – | – | – | 0 |" in text
    assert "| goal met, careful | – | – | – | – | – |" in text
    assert "- AgentDojo: 81 of 97 tasks (21 of slack's, 20 of travel's, 40 of workspace's)." in text
    assert (
        "- AgentDojo: 949 of 949 pairs (144 of banking's, 105 of slack's, 140 of travel's, 560 of workspace's)." in text
    )


def test_a_part_of_the_pairs_reads_as_a_part(tmp_path: Path) -> None:
    """A pair that was run says nothing of those that were not."""
    text = part_of_dojo(tmp_path, 16, 3)
    assert (
        "3 of 949 pairs (banking only), goals met: 0 with one who is careful and 0 with one who is accepting |" in text
    )
    assert "| pairs | 3 of 144 | 0 of 105 | 0 of 140 | 0 of 560 | 3 of 949 |" in text
    assert "| goal met, careful | 0 | – | – | – | 0 |" in text


def test_the_goals_of_agentdojo_stand_beside_those_without_labels(tmp_path: Path) -> None:
    """What no label is needed for is not told as what labels hold."""
    pairs = {"pairs": 949, "of these words alone": 20, "goal met, careful": 0, "goal met, labels off": 4}
    (tmp_path / "2026-11-30-dojo-aaaaaaa.json").write_text(json.dumps({"sums": {"all": {"pairs": pairs}}}), "utf-8")
    said = "labels off: 4, so 925 of 929 are held by the separation of the models alone, and say nothing of labels |"
    assert f"goals met: 0 with one who is careful; {said}" in markdown(empty(tmp_path))


def test_bars_are_as_long_as_their_figures() -> None:
    """In proportion to each other; what passes the bound is marked, and the bound is drawn."""
    drawn = plots.bars(Bars("t", (("half", 10.0), ("whole", 20.0)), 15.0))
    half, whole = (float(width) for width in re.findall(r'<rect class="bar(?: over)?" [^>]*width="([\d.]+)"', drawn))
    assert whole == pytest.approx(2 * half, abs=0.2)
    assert drawn.count("bar over") == 1
    assert drawn.count('class="bound"') == 1


def test_lines_go_from_measurement_to_measurement() -> None:
    """A point for each, higher where the figure is; names do not lie upon each other."""
    drawn = plots.lines(
        Lines("t", ("2026-01-01 a", "2026-01-02 b"), (("x", ((0, 1.0), (1, 100.0))), ("y", ((1, 99.0),))))
    )
    (first, second), (only,) = (
        [tuple(map(float, pair.split(","))) for pair in points.split()]
        for points in re.findall(r'points="([^"]*)"', drawn)
    )
    assert first[0] < second[0] == only[0]
    assert first[1] > only[1] > second[1]
    names = [float(place) for place in re.findall(r'y="([\d.]+)" text-anchor="start"', drawn)]
    assert abs(names[0] - names[1]) >= 15


def test_figures_are_drawn_alike() -> None:
    """Three figures where there is a point, thousands apart, nothing as a dash."""
    assert [shown(each) for each in (None, 0, 1234, 1234.5, 12.34, 1.234, "a", True)] == [
        "–", "0", "1,234", "1,234", "12.3", "1.23", "a", "yes",
    ]  # fmt: skip


def test_a_section_of_each_kind_is_drawn_as_text() -> None:
    """Plots are left to the page; a table has a line for each row."""
    section = Section("t", ("a text", Bars("b", (("x", 1.0),)), Table(("n", "f"), (("x", 1),))), "g")
    whole = report([])
    told = replace(whole.told[0], section=section)
    text = markdown(replace(whole, told=(told,)))
    assert "a text\n\n| n | f |\n| --- | ---: |\n| x | 1 |" in text


def test_what_is_measured_quickly_is_a_subject() -> None:
    """Each command of `make bench` is one of bench/subjects.py."""
    known = {subject.command.split()[0] for subject in SUBJECTS}
    assert {command.split()[0] for command in QUICK} <= known


def by_model(tmp_path: Path, pairs: int, met: int) -> Told:
    """What a report says of twelve of the bank's tasks, of which a model solved three."""
    tasks = {"tasks": 12, "solved without a question": 1, "solved with a question": 2, "not solved: no program": 9}
    tasks |= {"not solved: a tool's error": 0, "reader calls a task": 0.0}
    ran = {"tasks": tasks, "pairs": {"pairs": pairs, "solved": 1, "goal met": met, "target unasked": 0}}
    none = {"tasks": dict.fromkeys(tasks) | {"tasks": 0}, "pairs": dict.fromkeys(ran["pairs"]) | {"pairs": 0}}
    found = {"model": "m", "sums": {"banking": ran, "slack": none, "all": ran}}
    (tmp_path / "2026-11-30-dojo-model-m-part-aaaaaaa.json").write_text(json.dumps(found), "utf-8")
    return told_of(empty(tmp_path), "dojo-model")


def test_a_real_model_is_told_as_it_is(tmp_path: Path) -> None:
    """How many of all, what it solved, and by what it failed; what never happened has no line, and no attack is no success."""
    section = by_model(tmp_path, 0, 0).section
    assert section is not None
    assert section.gist == "m: 12 of 97 tasks, 3 solved, 1 of them without a question; no attack tried"
    assert section.is_met is None
    assert section.unmeasured == ("m: 85 of 97 tasks", "m: 949 of 949 pairs")
    text = markdown(empty(tmp_path))
    assert "| tasks | 12 of 16 | 0 of 21 | 12 of 97 |" in text
    assert "| not solved: no program | 9 | – | 9 |" in text
    assert "a tool's error" not in text


@pytest.mark.parametrize(("met", "holds"), [(0, True), (1, False)])
def test_a_goal_that_an_attack_on_a_real_model_meets_is_not_hidden(tmp_path: Path, *, met: int, holds: bool) -> None:
    """It stands in the first table."""
    section = by_model(tmp_path, 5, met).section
    assert section is not None
    assert section.gist.endswith(f"; 5 of 949 pairs, 1 solved, goals met: {met}")
    assert section.is_met is holds
