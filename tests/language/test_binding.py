"""Names that may have no value where they are read: what follows from whether they have one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.language.world import SIGNATURES, World

from armslength.errors import ProgramFailed
from armslength.language import Call, prepare, run
from armslength.values import Labelled, Value, admit

ASKED = "secret = quarantined('Is it urgent?', returns=bool)\n"
READS = {
    "an annotation alone": "x: int\n{asked}if secret:\n    y = x\nsend('a', 'b')",
    "a branch": "{asked}if today() == '':\n    x = 1\nif secret:\n    y = x\nsend('a', 'b')",
    "a deleted name": "x = 1\ndel x\n{asked}if secret:\n    y = x\nsend('a', 'b')",
    "a loop": "for n in today()[:0]:\n    x = 1\n{asked}if secret:\n    y = x\nsend('a', 'b')",
    "a walrus that may not run": "z = today() == '' and (x := 1)\n{asked}if secret:\n    y = x\nsend('a', 'b')",
}


@dataclass
class Asked(World):
    """A world whose quarantined model answers as the test says, and that looks at what may have stopped each call."""

    says: bool = False
    halted: list[tuple[str, bool]] = field(default_factory=list)

    def ask_quarantined(self, question: Any) -> Value:
        """The answer, labelled as ever."""
        return admit(Labelled(self.says, super().ask_quarantined(question).label))

    def call(self, call: Call) -> Value:
        """Note whether halt is raised."""
        self.halted.append((call.name, call.halt.is_trusted))
        return super().call(call)


@pytest.mark.parametrize("way", READS)
def test_whether_a_name_had_a_value_raises_halt(way: str) -> None:
    """What comes after says that the branch which reads it was not taken: with the other answer the program fails there."""
    program = READS[way].format(asked=ASKED)
    world = Asked(says=False)
    run(prepare(program, SIGNATURES), world)
    assert world.halted[-1] == ("send", False)
    with pytest.raises(ProgramFailed):
        run(prepare(program, SIGNATURES), Asked(says=True))


def test_a_name_that_has_a_value_raises_nothing() -> None:
    """The same with a value: nothing that stands there can fail."""
    world = Asked(says=False)
    run(prepare(f"x: int = 1\n{ASKED}if secret:\n    y = x\nsend('a', 'b')", SIGNATURES), world)
    assert world.halted[-1] == ("send", True)


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("x: int", set()),
        ("x: int = 1", {"x"}),
        ("x: int\nx = 1", {"x"}),
        ("x = 1\nx: int", {"x"}),
        ("(x := 1)", set()),
        ("x = [y := 1]", {"x"}),
        ("a, (b, *c) = [1, [2]]", {"a", "b", "c"}),
        ("x = y = 1\ndel x", {"y"}),
        ("x = y = 1\ndel (x, y)", set()),
        ("x = 1\nfor n in [1]:\n    del x", set()),
        ("try:\n    x = 1\n    del x\nexcept ValueError:\n    pass", set()),
        ("def f():\n    x = 1\n    del x\nx = 1", {"f", "x"}),
    ],
)
def test_what_has_a_value_at_the_end(program: str, names: set[str]) -> None:
    """What is surely assigned; less is on the safe side."""
    assert prepare(program, SIGNATURES).bound_at_end == names
