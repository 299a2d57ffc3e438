"""What a tool gives is what it declares: the check before the run and the planner rely on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from armslength.app import Assistant
from armslength.testing import ScriptedModel
from armslength.tools.base import nobody, tool


@dataclass
class Parcel:
    weight: int
    owner: str | None


GIVEN: dict[object, tuple[list[object], list[object]]] = {
    str: (["", "a"], [5, True, None, ["a"], 1.5]),
    int: ([5], [True, "5", 5.0, None]),
    float: ([5, 0.5], [True, "0.5", None]),
    bool: ([True], [1, "True", None]),
    int | None: ([None, 5], ["5", True]),
    list[str]: ([[], ["a"]], ["a", [1], ["a", None], None]),
    Literal["red", "blue"]: (["red"], ["green", None, ["red"]]),
    Literal[1]: ([1], [True, "1"]),
    Parcel: ([Parcel(1, None), Parcel(1, "Kim")], [Parcel("heavy", None), Parcel(1, 2), None]),  # type: ignore[arg-type]
    list[Parcel]: ([[Parcel(1, None)]], [[Parcel(1, None), Parcel(True, None)]]),
}


def ending(declared: object, given: object) -> str:
    """How a run ends in which a tool of this declared type gives this."""

    def look() -> Any:
        """Look."""
        return given

    look.__annotations__["return"] = declared
    looking = tool(changes=None, receivers=nobody)(look)
    program = 'x = look()\nanswer("looked: " + str(x == 0)[:0])\n'
    return Assistant([looking], ScriptedModel([program]), ScriptedModel([])).ask("look").outcome.message


@pytest.mark.parametrize("declared", GIVEN, ids=str)
def test_a_result_is_of_the_declared_type(declared: object) -> None:
    """What fits is given to the program; of anything else it is said that the tool is wrong, in a line without the data."""
    fit, unfit = GIVEN[declared]
    assert [ending(declared, each) for each in fit] == [""] * len(fit)
    for each in unfit:
        assert "look gave a result of another type than it declares" in ending(declared, each)
