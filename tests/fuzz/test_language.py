"""Any text runs, or ends in one of our errors: arbitrary text, random programs with types that do not fit, real programs changed."""

from __future__ import annotations

import ast
import random
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.fuzz.arcs import Arcs
from tests.fuzz.grammar import Choices, program
from tests.fuzz.guided import Fuzzer, reduced
from tests.fuzz.language import CORPUS, PROGRAMS, WORDS, ending, from_bytes, guided, survives
from tests.fuzz.texts import damaged, retokened
from tests.fuzz.trees import random_tree, repaired, spliced

ENDS = {"ran", "ProgramRefused", "ProgramFailed", "LimitReached"}
BYTES = st.binary(max_size=500)


@given(st.text())
@example("\x00")
@example("\ud800")
@example("x = '\ud800'")
@example("\ufeffx = 1")
@example("# -*- coding: utf-7 -*-\nx = '+AAA-'")
@example("x = 1\\")
@example("if 1:\n\tx = 1\n        y = 2")
def test_any_text_is_read_or_refused(source: str) -> None:
    """Text of all characters, lone surrogates and controls among them."""
    assert survives(source) in ENDS


@settings(max_examples=200)
@given(st.sampled_from([0, 70, 100, 170, 200, 230]), BYTES)
def test_any_program_ends_in_our_errors(sort: int, drawn: bytes) -> None:
    """Programs of the grammar, random trees, real programs spliced, with other words, or damaged, and plain bytes."""
    assert survives(from_bytes(bytes([sort]) + drawn)) in ENDS


def test_guided_programs_end_in_our_errors() -> None:
    """A fixed number of programs that are guided by what they reach, from some of the corpus on, and they do reach more."""
    fuzzer = guided(seed=1)
    fuzzer.corpus = fuzzer.corpus[:20]
    fuzzer.start()
    reached = len(fuzzer.arcs.seen)
    for _ in range(40):
        fuzzer.step()
    assert [finding.trace for finding in fuzzer.findings.values()] == []
    assert set(fuzzer.ends) <= ENDS
    assert len(fuzzer.arcs.seen) > reached


@pytest.mark.parametrize("source", CORPUS.values(), ids=CORPUS)
def test_the_corpus_ends_in_our_errors(source: str) -> None:
    """Small programs that together reach most of what fuzzing ever reached."""
    assert survives(source) in ENDS


def test_guided_programs_depend_on_the_seed_alone() -> None:
    """The same seed and number of steps give the same programs; another seed gives others."""
    kept = [fuzzer.corpus for fuzzer in (_after_steps(3), _after_steps(3), _after_steps(4))]
    assert kept[0] == kept[1]
    assert kept[0] != kept[2]


def _after_steps(seed: int) -> Fuzzer:
    fuzzer = Fuzzer(ending, ["x = 1\n", "for i in range(3):\n    answer(i)\n"], WORDS, random.Random(seed))
    fuzzer.start()
    for _ in range(25):
        fuzzer.step()
    return fuzzer


def test_a_failure_is_found_and_reduced() -> None:
    """What only some of the changed programs do is found, named by its place, kept in its shortest form and made short."""

    def run(source: str) -> tuple[str, int]:
        if "break" in source:
            raise RuntimeError("a planted failure")
        return "ran", 0

    fuzzer = Fuzzer(run, [source for source in PROGRAMS if "break" not in source][:20], WORDS, random.Random(2))
    for _ in range(200):
        fuzzer.step()
    (finding,) = fuzzer.findings.values()
    assert finding.name.startswith("RuntimeError-test_language-run-")
    assert "a planted failure" in finding.trace
    assert reduced(finding.source, lambda text: "break" in text) == "break"


def test_new_arcs_are_seen_once() -> None:
    """A program reaches hardly anything new when it runs again, as not all is looked at each time; another reaches something of its own."""
    arcs = Arcs()
    news = []
    for source in ("x = 1\n", "x = 1\n", "x = 1\n", "x = [1][0]\n"):
        with arcs.watching():
            survives(source)
        news.append(len(arcs.new))
    assert news[0] > 50
    assert max(news[1:3]) < 10
    assert news[3] > 10


def test_random_programs_do_run() -> None:
    """Of 100 fixed programs of the grammar, repaired where they are refused, most get as far as running."""
    drawn = random.Random(1)
    ends = Counter(_end_when_repaired(program(Choices(drawn.randbytes(300)))) for _ in range(100))
    assert ends["ran"] > 5
    assert ends["ran"] + ends["ProgramFailed"] > 40
    assert set(ends) <= ENDS


def _end_when_repaired(source: str) -> str:
    for _ in range(12):
        end, line = ending(source)
        changed = repaired(source, line) if line else None
        if changed is None:
            return end
        source = changed
    return end


@pytest.mark.parametrize("way", [random_tree, "spliced", "retokened", "damaged"])
def test_changed_programs_are_mostly_others(way: object) -> None:
    """Each way of making a program gives many different ones, and, but for damage, some that Python can read."""
    drawn = random.Random(5)
    made = set()
    for number in range(100):
        choose, base = Choices(drawn.randbytes(300)), PROGRAMS[number % len(PROGRAMS)]
        match way:
            case "spliced":
                made.add(spliced(choose, WORDS, base))
            case "retokened":
                made.add(retokened(choose, base, PROGRAMS[0]))
            case "damaged":
                made.add(damaged(choose, base, PROGRAMS[0]))
            case _:
                made.add(random_tree(choose, WORDS))
    assert len(made - set(PROGRAMS)) > 50
    if way != "damaged":
        assert sum(map(_is_python, made)) > 8


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return bool(source)


def test_a_refused_statement_is_taken_out() -> None:
    """The innermost statement at the line gives way to `pass`; a text without statements stays as it is."""
    assert repaired("if a:\n    x = 1\n    y = 2\n", 3) == "if a:\n    x = 1\n    pass\n"
    assert repaired("x = 1\n", 5) is None
    assert repaired("x = (", 1) is None
