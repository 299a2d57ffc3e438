"""The type of an answer, written in its place instead of behind `returns=`."""

from __future__ import annotations

import pytest
from tests.language.world import interpreted

CLASSES = "class Item(BaseModel):\n    name: str\n\n\nclass Kind(Enum):\n    LOW = 'low'\n\n\n"


@pytest.mark.parametrize(
    "written",
    [
        "bool",
        "int",
        "str",
        "list",
        "list[str]",
        "typing.List[int]",
        "Optional[str]",
        "str | None",
        'Literal["low", "high"]',
        '{"name": str, "kind": Literal["a"]}',
        "Item",
        "list[Item]",
        "Kind",
    ],
)
def test_the_last_argument_is_the_type_if_it_is_one(written: str) -> None:
    """It says what the one behind `returns=` says, with several data arguments too, and it is no data."""
    for data in ("'a'", "'a', 'b'"):
        placed = interpreted(f"{CLASSES}x = quarantined('Which?', {data}, {written})\nanswer(x)")
        named = interpreted(f"{CLASSES}x = quarantined('Which?', {data}, returns={written})\nanswer(x)")
        assert placed.said == named.said != []
        assert repr(placed.names) == repr(named.names)


@pytest.mark.parametrize(
    "program",
    [
        "quarantined('Which?', 'a', {'name': 'str'})",
        "quarantined('Which?', 'a', 'bool')",
        "quarantined('Which?', 'a', {})",
        "bool = 3\nx = quarantined('Which?', 'a', bool)\nanswer(x)",
        "def f(int):\n    return quarantined('Which?', 'a', int)\nanswer(f(3))",
    ],
)
def test_what_is_no_type_stays_data(program: str) -> None:
    """The answer is text then."""
    program = program if "answer" in program else f"answer({program})"
    assert interpreted(program).said == ["reading"]
