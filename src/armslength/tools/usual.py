"""What a call of a tool usually gives, declared: its labels before it is made, for whoever looks at a program that has not run.

A declaration, and no promise: a run goes by the labels of what it really gets. What is exceptional is left out of it: a mail without a
verified sender, an entry that a ledger knows as somebody else's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from armslength.labels import Label
from armslength.schema import ListOf, OptionalOf, RecordType, Type
from armslength.values import Labelled, Plain


@dataclass(frozen=True, slots=True)
class Usual:
    """The labels of one result: of what holds no other or is a record's reference (`whole`), of its fields, of a list's shape.

    `known_as`: for fields that may become receivers, who that is, in words of the person's.
    """

    whole: Label
    fields: Mapping[str, Label] = field(default_factory=dict)
    shape: Label | None = None
    known_as: Mapping[str, str] = field(default_factory=dict)

    def of(self, declared: Type) -> Labelled:
        """A result of that type with one element in each list, and None for whatever is not known."""
        match declared:
            case ListOf(item):
                return Labelled((self.of(item),), self.whole if self.shape is None else self.shape)
            case OptionalOf(inner):
                return self.of(inner)
            case RecordType(_, fields):
                parts = {
                    each.name: Usual(self.fields.get(each.name, self.whole), shape=self.fields.get(each.name)).of(
                        each.type
                    )
                    for each in fields
                }
                return Labelled(parts, self.whole, declared)
            case _:
                return Labelled(None, self.whole)


Usually = Callable[[Mapping[str, Plain], str], Usual]
"""From the arguments that the program's text tells, and where the call stands, to what it usually gives."""


def somebody(known_as: str, where: str) -> str:
    """The name of a receiver of whom no more is known than these words and where in the program they come from."""
    return f"{known_as} ({where})".encode("ascii", "replace").decode().lower()
