"""Random rules over all that a rule can name, random calls and random settings, each drawn from a generator with a seed.

Expressions are drawn by type, so that most are what the schema takes; the rest is refused when it is read, as a user's would be.
"""

from __future__ import annotations

import random

from tests.policy.making import VOCABULARY

from armslength.labels import PRIVATE, PUBLIC, Label, Readers, Source, label
from armslength.policy.engine import Action, Argument, Clearance, Group, PolicySettings
from armslength.policy.schema import OF_A_CALL, OF_A_LABEL, OF_AN_ARGUMENT

PEOPLE = ("kim@b.example", "eve@c.example", "me@home.example")
SOURCES = (
    Source("user", is_trusted=True), Source("program", is_trusted=True), Source("store:mail", is_trusted=True), Source("mail:unverified"),
    Source("mail:kim@b.example"), Source("mailbox:*"), Source("mail:*"), Source("file:plan.txt"), Source("web:a.example"),
    Source("quarantined"), Source("pasted"),
)  # fmt: skip
PATTERNS = ("mail:*", "*@b.example", "kim@b.example", "file:*", "*", "web:a.example", "store:mail")
_DEEPEST = 4
_PARAMETERS = sorted({each.name for tool in VOCABULARY.tools for each in tool.parameters})


class RandomRules:
    """Rules whose names are told apart by their number."""

    def __init__(self, drawn: random.Random) -> None:
        self._drawn = drawn

    def rule(self, name: str) -> str:
        """A `forbid` with a name, which asks or denies."""
        verdict = self._drawn.choice(["ask", "ask", "deny"])
        conditions = [f"{self._one('when', 'unless')} {{ {self._truth(0)} }}" for _ in range(self._drawn.randrange(3))]
        return f'@id("{name}") @{verdict}("why")\nforbid ({self._head()})\n' + "\n".join(conditions) + ";\n"

    def _head(self) -> str:
        store = self._one(*VOCABULARY.constants["Store"])
        actions = ", ".join(f'Action::"{name}"' for name in self._some(*VOCABULARY.actions, most=3))
        return ", ".join(
            [
                self._one("principal", "principal", 'principal == User::"you"'),
                self._one("action", "action", 'action in Action::"every effect"', f"action in [{actions}]"),
                self._one("resource", "resource", f'resource == Store::"{store}"'),
            ]
        )

    def _truth(self, depth: int) -> str:
        if depth < _DEEPEST and self._drawn.random() < 0.5:
            left, right = self._truth(depth + 1), self._truth(depth + 1)
            return self._one(
                f"!({left})",
                f"({left} && {right})",
                f"({left} || {right})",
                f"(if {left} then {right} else !({right}))",
            )
        kind = self._drawn.choice(["Bool", "Bool", "Long", "Set", "Role", "String", "has", "resource"])
        match kind:
            case "Bool":
                return self._fact("Bool")
            case "Long":
                return f"{self._number()} {self._one('<', '<=', '==', '!=', '>', '>=')} {self._number()}"
            case "Set":
                return self._of_a_set(self._one("Source", "Receiver", "Group"))
            case "Role":
                return f'context.argument.role == Role::"{self._one("target", "content", "query", "unknown")}"'
            case "String":
                return f'context.argument.name {self._one("==", "!=", "like")} "{self._one("to", "body", "b*", "*")}"'
            case "has":
                name = self._one(*_PARAMETERS)
                fact = self._one(*(each for each, type_ in OF_AN_ARGUMENT.items() if type_ == "Bool"))
                return f"(context.arguments has {name} && context.arguments.{name}.{fact})"
            case _:
                return f'resource == Store::"{self._one(*VOCABULARY.constants["Store"])}"'

    def _number(self) -> str:
        drawn = self._drawn.random()
        if drawn < 0.5:
            return str(self._drawn.choice([0, 1, 2, 8, 9, 24, 1000]))
        fact = self._fact("Long")
        return f"({fact} + 9223372036854775807)" if drawn > 0.95 else fact  # too large for Cedar, unless it is 0

    def _of_a_set(self, kind: str) -> str:
        one = f'{kind}::"{self._entity(kind)}"'
        several = ", ".join(f'{kind}::"{self._entity(kind)}"' for _ in range(self._drawn.randint(1, 3)))
        other = self._one(f"[{several}]", self._fact(f"Set<{kind}>"))
        whole = self._fact(f"Set<{kind}>")
        return self._one(
            f"{whole}.contains({one})",
            f"{whole}.containsAll({other})",
            f"{whole}.containsAny({other})",
            f"{whole}.isEmpty()",
        )

    def _entity(self, kind: str) -> str:
        named = {"Source": [each.name for each in SOURCES], "Receiver": PEOPLE, "Group": VOCABULARY.constants["Group"]}
        return self._one(*named[kind])

    def _fact(self, type_: str) -> str:
        found = [f"context.{name}" for name, its in OF_A_CALL.items() if its == type_]
        found += [f"context.control.{name}" for name, its in OF_A_LABEL.items() if its == type_]
        found += [f"context.argument.{name}" for name, its in OF_AN_ARGUMENT.items() if its == type_]
        found += ["principal.addresses"] if type_ == "Set<Receiver>" else []
        return self._one(*found)

    def _one(self, *of: str) -> str:
        return self._drawn.choice(of)

    def _some(self, *of: str, most: int) -> list[str]:
        return self._drawn.sample(of, self._drawn.randint(1, most))


def random_settings(drawn: random.Random) -> PolicySettings:
    """What a configuration may say."""

    def patterns(most: int) -> tuple[str, ...]:
        return tuple(drawn.sample(PATTERNS, drawn.randint(0, most)))

    return PolicySettings(
        this_machine_only=patterns(1) if drawn.random() < 0.3 else (),
        asks_before_sending=drawn.random() < 0.2,
        asks_always=drawn.random() < 0.1,
        groups=(Group("family", patterns(2)), Group("work", patterns(2))),
        may_learn=(Clearance(patterns(2), patterns(2)),) if drawn.random() < 0.5 else (),
        user_name=drawn.choice(["", "Sam"]),
        addresses=("me@home.example",) if drawn.random() < 0.7 else (),
        steering_bits=drawn.choice([0, 8, 24]),
    )  # fmt: skip


def random_action(drawn: random.Random) -> Action:
    """A call of a tool that there is, or of one that nobody declared; half of them such as the shipped rules let through more easily."""
    declared = drawn.choice([*VOCABULARY.actions.values(), None])
    is_plain = drawn.random() < 0.5
    given = (
        []
        if declared is None
        else [(each.name, each.role) for each in declared.parameters if not each.is_optional or drawn.random() < 0.5]
    )
    if declared is None:
        given = [
            (f"a{number}", drawn.choice(["target", "content", "query", "odd"])) for number in range(drawn.randint(0, 3))
        ]
    receivers = drawn.choice([None, (), (), *((name,) for name in PEOPLE), PEOPLE[:2]])
    if declared is not None and not declared.has_receivers:
        receivers = ()
    return Action(
        tool=declared.name if declared is not None else "tool",
        arguments=tuple(_argument(drawn, name, role, is_plain=is_plain) for name, role in given),  # type: ignore[arg-type]
        control=random_label(drawn, is_plain=is_plain),
        receivers=receivers,
        are_vouched=is_plain or drawn.random() < 0.5,
        changes=declared.store if declared is not None else drawn.choice([None, "files"]),
        is_undoable=is_plain or drawn.random() < 0.5,
        are_known=is_plain or drawn.random() < 0.5,
        is_alike=drawn.random() < 0.1,
        takes_back=drawn.random() < 0.1,
        told=drawn.choice([0, 4, 8, 24, 25, 1_000]),
        branches=None if drawn.random() < 0.5 else random_label(drawn, is_plain=is_plain),
    )  # fmt: skip


def _argument(drawn: random.Random, name: str, role: str, *, is_plain: bool) -> Argument:
    return Argument(
        name,
        role,  # type: ignore[arg-type]
        random_label(drawn, is_plain=is_plain),
        None if drawn.random() < 0.5 else random_label(drawn, is_plain=is_plain),
        is_quoted=drawn.random() < 0.2,
        has_links=drawn.random() < 0.5,
        acts=drawn.random() < 0.5,
    )


def random_label(drawn: random.Random, *, is_plain: bool) -> Label:
    """Any label; a plain one has trusted data and is chosen by few."""
    trusted = [each for each in SOURCES if each.is_trusted]
    data = drawn.sample(trusted, drawn.randint(0, 2)) if is_plain else drawn.sample(SOURCES, drawn.randint(0, 4))
    choice = drawn.sample(SOURCES, drawn.randint(0, 0 if is_plain and drawn.random() < 0.6 else 2))
    readers = PUBLIC if is_plain and drawn.random() < 0.5 else _readers(drawn)
    steer = PUBLIC if is_plain and drawn.random() < 0.5 else _readers(drawn)
    bits = drawn.choice([0, 1, 4, 8, 9]) if choice else 0
    return label(data, choice=choice, bits=bits, readers=readers, steer=steer, intact=drawn.random() < 0.5)


def _readers(drawn: random.Random) -> Readers:
    return drawn.choice([PUBLIC, PRIVATE, *(Readers(frozenset({name})) for name in PEOPLE), Readers(frozenset(PEOPLE))])
