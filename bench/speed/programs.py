"""The programs whose speed is measured, and the world they run in: behind the language's `Host`, and as plain Python for `exec`.

What a tool gives is made before anything is timed, with trusted labels or with those that real mail has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from armslength.labels import NOTHING, PRIVATE, SATURATED, USER, Label, Readers, Source, label, steered
from armslength.language import Call, Question, Reply, Showing
from armslength.schema import BOOL, INT, NONE, STR, Field, ListOf, Parameter, RecordType, Signature
from armslength.values import Labelled, Permit, Value, admit, make, release

Trust = Literal["trusted", "untrusted"]
TRUSTS: tuple[Trust, ...] = ("trusted", "untrusted")


@dataclass(frozen=True, slots=True)
class Program:
    """`source` with SIZE for how many elements it goes through, `size` of them where it is not said; it leaves `result`."""

    name: str
    source: str
    size: int

    def text(self, times: int = 1) -> str:
        """The program for so many times its size."""
        return self.source.replace("SIZE", str(self.size * times))


PROGRAMS = (
    Program(
        "arithmetic",
        "result = number()\nfor i in range(SIZE):\n    result = (result * 31 + i) % 1000003\n",
        10_000,
    ),
    Program("comprehension", "result = [x * 2 + 1 for x in numbers(SIZE) if x % 3 != 0]\n", 10_000),
    Program(
        "f-strings",
        'who = text(10)\nresult = []\nfor i in range(SIZE):\n    result.append(f"{i:>6}. {who}: {i * 2}")\n',
        10_000,
    ),
    Program("text, whole", 'result = " ".join(text(SIZE).upper().split(" "))\n', 10_000),
    Program("text, word by word", 'result = " ".join([word.upper() for word in text(SIZE).split(" ")])\n', 10_000),
    Program(
        "dict",
        "first = number()\ntable = {}\nfor i in range(SIZE):\n    table[i] = first + i\n"
        "result = 0\nfor key in table:\n    result = result + table[key]\n",
        4_000,
    ),
    Program(
        "dict, keys from data",
        "result = {}\nfor item in numbers(SIZE):\n    result[item] = result.get(item, 0) + 1\n",
        4_000,
    ),
    Program(
        "mails",
        'chosen = [mail for mail in mails(SIZE) if mail.sender.name != "Sender 3"]\n'
        "result = [mail.id for mail in sorted(chosen, key=lambda mail: mail.sender.name)]\n",
        1_000,
    ),
)

PERSON = RecordType("Person", (Field("name", STR), Field("address", STR)))
MAIL = RecordType("Mail", (Field("id", INT), Field("sender", PERSON), Field("subject", STR), Field("is_unread", BOOL)))
_SIZE = (Parameter("size", INT),)
SIGNATURES = (
    Signature("number", (), INT),
    Signature("text", _SIZE, STR),
    Signature("numbers", _SIZE, ListOf(INT)),
    Signature("mails", _SIZE, ListOf(MAIL)),
    Signature("mark", (), NONE),
)


@dataclass
class Person:
    """Who wrote a mail, as plain Python."""

    name: str
    address: str


@dataclass
class Mail:
    """A mail, as plain Python."""

    id: int
    sender: Person
    subject: str
    is_unread: bool


NUMBER = 12_345
SENDERS = 40


def text(size: int) -> str:
    """Words of five letters, so many characters."""
    return ("lorem ipsum dolor " * (size // 18 + 1))[:size]


def numbers(size: int) -> list[int]:
    """So many different numbers, in no order."""
    return [i * 7919 % size for i in range(size)] if size % 7919 else list(range(size))


def mails(size: int) -> list[Mail]:
    """So many mails from forty senders in turn."""
    return [
        Mail(i, Person(f"Sender {i % SENDERS}", f"s{i % SENDERS}@example.com"), f"Subject {i}", i % 2 == 0)
        for i in range(size)
    ]


def namespace(mark: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The tools as plain functions, which give what was made before."""
    made: dict[tuple[str, int], Any] = {}

    def once(make_it: Callable[[int], Any]) -> Callable[[int], Any]:
        def given(size: int) -> Any:
            key = (make_it.__name__, size)
            if key not in made:
                made[key] = make_it(size)
            return made[key]

        return given

    return {
        "number": lambda: NUMBER,
        "text": once(text),
        "numbers": once(numbers),
        "mails": once(mails),
        "mark": mark,
    }


@dataclass
class World:
    """A host whose tools give what was made before, labelled; `mark` is told when the program calls it."""

    trust: Trust
    mark: Callable[[], None] = lambda: None
    made: dict[tuple[str, int], Value] = field(default_factory=dict)

    def call(self, call: Call) -> Value:
        """Give what the tool gives."""
        if call.name == "mark":
            self.mark()
            return make(None, NOTHING)
        size = _size_of(call)
        key = (call.name, size)
        if key not in self.made:
            self.made[key] = admit(self._labelled(call.name, size))
        return self.made[key]

    def _labelled(self, name: str, size: int) -> Labelled:
        whole = TRUSTED if self.trust == "trusted" else FOREIGN
        match name:
            case "number":
                return Labelled(NUMBER, whole)
            case "text":
                return Labelled(text(size), whole)
            case "numbers":
                return Labelled(tuple(Labelled(each, whole) for each in numbers(size)), whole)
            case "mails":
                listed = TRUSTED if self.trust == "trusted" else LISTED
                return Labelled(tuple(self._mail(mail) for mail in mails(size)), listed)
            case _:
                raise LookupError(name)

    def _mail(self, mail: Mail) -> Labelled:
        known, theirs = (TRUSTED, TRUSTED) if self.trust == "trusted" else _labels_of(mail.sender.address)
        sender = {"name": Labelled(mail.sender.name, theirs), "address": Labelled(mail.sender.address, theirs)}
        return Labelled(
            {
                "id": Labelled(mail.id, known),
                "sender": Labelled(sender, theirs, PERSON),
                "subject": Labelled(mail.subject, theirs),
                "is_unread": Labelled(mail.is_unread, known),
            },
            known,
            MAIL,
        )

    def ask_quarantined(self, question: Question) -> Value:
        """None of the programs asks."""
        raise NotImplementedError

    def answer(self, reply: Reply) -> None:
        """None of the programs answers."""
        raise NotImplementedError

    def reveal(self, showing: Showing) -> None:
        """None of the programs shows anything."""
        raise NotImplementedError

    def now(self) -> Value:
        """None of the programs asks for the time."""
        raise NotImplementedError

    def ended(self, halt: Label) -> None:
        """Nothing waits for the end."""

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """No tool fails."""
        return NOTHING


TRUSTED = label([USER])
"""Trusted and public: joins with it are the cheapest there are."""
FOREIGN = label([Source("mail:unverified")], readers=PRIVATE)
"""What anybody wrote, private to the user."""
_STORE = Source("store:mail", is_trusted=True)
_ANYBODY = (Source("mail:unverified"), Source("mail:*"))
_PICKED = label(choice=_ANYBODY, bits=SATURATED, steer=PRIVATE)
LISTED = label([_STORE], choice=_ANYBODY, bits=SATURATED, readers=PRIVATE, steer=PRIVATE, intact=False)
"""The list that a search in a mailbox gives: everybody who writes into it steers what stands in it."""


def _labels_of(address: str) -> tuple[Label, Label]:
    """What the store knows of a found mail, and what its verified sender wrote."""
    theirs = label([Source(f"mail:{address}")], readers=Readers(frozenset({address, "user@example.com"})))
    return steered(label([_STORE], readers=PRIVATE), _PICKED), steered(theirs, _PICKED)


def _size_of(call: Call) -> int:
    """The size that was asked for; a tool without one has none."""
    for value in call.arguments.values():
        plain = release(value, _MEASURED).plain()
        if isinstance(plain, int):
            return plain
    return 0


_MEASURED = Permit("a bench has nobody to tell", "policy")


def plain(value: Value) -> Any:
    """The data of a result: JSON's shapes, so that the keys of a dict are text."""
    return release(value, _MEASURED).plain()
