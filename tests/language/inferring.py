"""The tools of the tests of inference, and what a program is refused with."""

import pytest

from armslength.errors import ProgramRefused
from armslength.language import prepare
from armslength.schema import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    Field,
    ListOf,
    Menu,
    OptionalOf,
    Parameter,
    RecordType,
    Signature,
)

MAIL = RecordType(
    "Email",
    (Field("id", STR), Field("subject", STR), Field("size", INT), Field("to", ListOf(STR)), Field("title", STR)),
)
SIGNATURES = (
    Signature("search", (Parameter("query", STR, True, ""), Parameter("limit", INT, True, 10)), ListOf(MAIL)),
    Signature("latest", (), OptionalOf(MAIL)),
    Signature("reply", (Parameter("email", MAIL), Parameter("body", STR)), NONE),
    Signature("archive", (Parameter("emails", ListOf(MAIL)),), NONE),
    Signature(
        "send",
        (Parameter("recipients", ListOf(STR)), Parameter("body", STR), Parameter("urgent", BOOL, True, False)),
        NONE,
    ),
    Signature(
        "weather",
        (
            Parameter("place", STR),
            Parameter("unit", Menu(("metric", "imperial")), True, "metric"),
            Parameter("days", OptionalOf(INT), True, None),
        ),
        STR,
    ),
    Signature("plot", (Parameter("values", ListOf(FLOAT)), Parameter("scale", FLOAT, True, 1.0)), NONE),
    Signature("anything", (Parameter("x", ANY, True, None),), ANY),
)
NO_DATE = "Email has no field date; its fields are id, subject, size, to, title"
TEXTS = "it has methods: lower, upper, strip, split, replace, startswith, endswith, find, join"


def refusal(program: str) -> str:
    """The message with which a program is refused."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(program, SIGNATURES)
    return str(refused.value)
