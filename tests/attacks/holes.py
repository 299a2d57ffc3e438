"""A mail of nobody we know, and what must hold of whatever a program makes of it."""

from __future__ import annotations

from tests.language.world import SIGNATURES, World

from armslength.labels import PRIVATE, PUBLIC, Label, Source
from armslength.language import prepare, run
from armslength.values import sink_label

SECRET = "the code is 4711"
MAIL = Source("mail:unverified")
GIVEN = "mail = search('x')[0]\ntext = mail.subject\nnumber = mail.score\n"
"""A mail of nobody we know, its words and its number: written by others, private to read."""


def label_of(program: str) -> Label:
    """The label of all that `x` holds when the program has ended."""
    return sink_label(run(prepare(GIVEN + program, SIGNATURES), World())["x"])


def assert_written(program: str) -> None:
    """What `x` holds is the mail's words: theirs, and private."""
    label = label_of(program)
    assert MAIL in label.data, label
    assert label.readers == PRIVATE, label
    assert not label.is_trusted


def assert_steered(program: str) -> None:
    """What `x` holds could be chosen by the mail, and who learns it learns something private."""
    label = label_of(program)
    assert MAIL in label.data | label.choice, label
    assert label.steer != PUBLIC or label.readers != PUBLIC, label
    assert not label.is_trusted
