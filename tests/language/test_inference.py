"""Misfits of declared types, refused before anything runs."""

import pytest

from armslength.errors import ProgramRefused
from armslength.language import prepare
from armslength.schema import INT, NONE, STR, Field, ListOf, Parameter, RecordType, Signature

MAIL = RecordType("Email", (Field("id", STR), Field("subject", STR), Field("to", ListOf(STR))))
SIGNATURES = (
    Signature("search", (), ListOf(MAIL)),
    Signature("reply", (Parameter("email", MAIL), Parameter("body", STR)), NONE),
    Signature("send", (Parameter("recipients", ListOf(STR)), Parameter("body", STR)), NONE),
)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("m = search()[0]\nanswer(m.text)", "line 2: Email has no field text; its fields are id, subject, to"),
        (
            "ms = search()\nanswer(ms.subject)",
            "line 2: this is a list of Email and has no field subject; take one with [0], or go through it with for",
        ),
        (
            "reply(email=search(), body='x')",
            "line 1: reply takes Email as email, and this is a list; take one Email of it with [0], or go through it with for",
        ),
        (
            "m = search()[0]\nreply(m, m)",
            "line 2: reply takes str as body, and this is an Email; use one of its fields: id, subject, to",
        ),
        (
            "send(recipients='a@example.com', body='x')",
            "line 1: send takes list[str] as recipients, and this is a text; write it in [ ]",
        ),
        (
            "send(search(), 'x')",
            (
                "line 1: send takes list[str] as recipients, and this is a list of Email; "
                "make a list of one of their fields with a comprehension"
            ),
        ),
        (
            "send(search()[0].to, search()[0].to)",
            "line 1: send takes str as body, and this is a list; take one with [0], or make one text of it with join",
        ),
        (
            "for m in search():\n    answer(m.sender)",
            "line 2: Email has no field sender; its fields are id, subject, to",
        ),
        ("answer([m.sender for m in search()])", "line 1: Email has no field sender; its fields are id, subject, to"),
    ],
)
def test_a_misfit_is_refused_with_what_would_fit(program: str, message: str) -> None:
    """Fields and arguments are looked up in the declarations."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(program, SIGNATURES)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "program",
    [
        "x = search()\nx = x[0]\nanswer(x.subject)",
        "x = 'a'\nfor x in search():\n    answer(x.subject)",
        "x = quarantined('?', returns={'a': str})\nanswer(x['a'])",
        "x = [1]\nsend(recipients=[str(y) for y in x], body=str(x))",
        "reply(sorted(search())[0], f'{1}' + 'a')",
        "a, b = search()\nanswer(a.anything)",
        "search().append(1)",
    ],
)
def test_what_is_not_known_is_not_refused(program: str) -> None:
    """Names with several types, and values of no declared type, pass."""
    prepare(program, SIGNATURES)


def test_a_declared_type_without_claim_fits_everything() -> None:
    """A parameter of another scalar type is left to the tool."""
    prepare("f(x=search())", (*SIGNATURES, Signature("f", (Parameter("x", INT),), NONE)))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x += 1", "line 1: x is used before it has a value; assign it first"),
        ("x = x + 1", "line 1: x is used before it has a value; assign it first"),
        ("print(y)\ny = 1", "line 1: y is used before it has a value; assign it first"),
        ("z = [v for v in z]", "line 1: z is used before it has a value; assign it first"),
        ("print(c)\nfor c in [1]:\n    pass", "line 1: c is used before it has a value; assign it first"),
    ],
)
def test_a_name_that_cannot_have_a_value_yet_is_refused(source: str, message: str) -> None:
    """Before anything runs: no statement that comes first could give it one."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(source, SIGNATURES)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "source",
    [
        "for i in [1, 2]:\n    if i > 1:\n        print(z)\n    z = i",
        "def f():\n    return w\n\n\nw = 1\nf()",
        "q = (q := 3) + 1",
        "s = [s for s in [1]]",
        "try:\n    print(late)\nexcept NameError:\n    pass\nlate = 1",
    ],
)
def test_a_name_that_may_have_a_value_is_left_to_the_run(source: str) -> None:
    """A loop, a function or a comprehension may come by a second time, and a `try` may ask on purpose."""
    prepare(source, SIGNATURES)
