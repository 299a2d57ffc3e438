"""The world of the law programs: inputs over small domains, tools that read them, and a host that records what goes out.

Untrusted inputs are `u`, secret ones `s`; `s[1]` may be read by "alice" too. A tool's result is a function of its literal argument and
the inputs. `read` remembers which inputs a run has looked at, so that runs that cannot differ are run once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from armslength.agent.quarantined.reader import label_reading
from armslength.errors import Denied, ToolError
from armslength.labels import NOTHING, PRIVATE, SATURATED, Label, Readers, Source, construct, label, steered, steering
from armslength.language import Call, Question, Reply, Showing
from armslength.schema import (
    ANY,
    BOOL,
    INT,
    NONE,
    STR,
    Field,
    Keyed,
    ListOf,
    Menu,
    OptionalOf,
    Parameter,
    RecordType,
    Scalar,
    Signature,
    Slot,
    Type,
)
from armslength.values import Labelled, Permit, Plain, Value, admit, make, promise, release, sink_label

ALICE = Readers(frozenset({"alice"}))
STORE = Source("store", is_trusted=True)
MAIL = Source("mail:unverified")
WEB = Source("web:example.com")

KNOWN = label([STORE])
WRITTEN = label([MAIL])
FOUND = label([WEB])
PICK = label(choice=[MAIL], bits=SATURATED)
SECRET = label([STORE], readers=PRIVATE)
SHARED = label([STORE], readers=ALICE)
LETTER = label([MAIL], readers=PRIVATE)
SECRET_PICK = label(choice=[STORE], steer=PRIVATE)

EMAIL = RecordType("Email", (Field("id", STR), Field("body", STR), Field("is_unread", BOOL), Field("size", INT)))
_WORDS = ("a", "ab", "b a")
WHOLES = frozenset(map(repr, (None, True, False, 0, 1, 2, 3, "m1", "m2", "m3", *_WORDS)))
"""What the tools here give with trusted data."""
PERMIT = Permit("law", "policy")


@dataclass(frozen=True, slots=True)
class Inputs:
    """One variation: untrusted inputs and secret inputs, each 0 to 2."""

    u: tuple[int, ...]
    s: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """Something that went out: by which door, where in the program, what, and the label of arguments, control and (for `send`) halt."""

    door: str
    place: str
    content: str
    label: Label


def _tool(name: str, returns: Type) -> Signature:
    return Signature(name, (Parameter("which", INT, has_default=True, default=0),), returns)


SIGNATURES = (
    _tool("num", INT),
    _tool("web_num", INT),
    _tool("word", STR),
    _tool("nums", ListOf(INT)),
    _tool("counted", ListOf(INT)),
    _tool("mails", ListOf(EMAIL)),
    _tool("flag", BOOL),
    _tool("secret", INT),
    _tool("secret_word", STR),
    _tool("secrets", ListOf(INT)),
    _tool("shared", INT),
    _tool("hidden", INT),
    _tool("letters", ListOf(EMAIL)),
    _tool("shaky", INT),
    _tool("guarded", INT),
    _tool("barred", INT),
    _tool("picky", INT),
    Signature("send", (Parameter("content", ANY), Parameter("to", STR, has_default=True, default="boss")), NONE),
    Signature("emit", (Parameter("content", ANY),), NONE),
    Signature(
        "put_under", (Parameter("key", STR), Parameter("value", INT)), NONE, keyed=Keyed("kept", "key", sets=True)
    ),
    Signature("got_under", (Parameter("key", STR),), INT, keyed=Keyed("kept", "key", sets=False)),
)


@dataclass(slots=True)
class World:
    """A host. `sent` is what went out; `read` are the inputs that the run has looked at, with what they were."""

    inputs: Inputs
    is_pending: bool = False
    halt: Label = NOTHING
    sent: list[Sent] = field(default_factory=list)
    read: dict[str, int] = field(default_factory=dict)
    kept: dict[str, Labelled] = field(default_factory=dict)
    """What was put under a key in this run, with the label that it had; what decided over it is the language's matter."""

    def call(self, call: Call) -> Value:
        """A tool of `SIGNATURES`; `barred` is refused always, `picky` by its argument, and no program can catch that."""
        if call.name in ("send", "emit"):
            self._out(call)
            return make(None, NOTHING)
        if call.name in ("put_under", "got_under"):
            return self._kept(call)
        if call.name == "barred":
            raise Denied("barred")
        which = release(call.arguments["which"], PERMIT).data
        number = which if isinstance(which, int) else 0
        if call.name == "picky" and number == 2:
            raise Denied("picky")
        outer = sink_label(call.arguments["which"])
        return self._promised(lambda: admit(_under(self._result(call.name, number), outer)))

    def _kept(self, call: Call) -> Value:
        key = str(release(call.arguments["key"], PERMIT).data)
        if call.name == "put_under":
            self.kept[key] = release(call.arguments["value"], PERMIT)
            return make(None, NOTHING)
        found = self.kept.get(key, Labelled(0, KNOWN))
        return self._promised(lambda: admit(found))

    def _promised(self, resolve: Callable[[], Value]) -> Value:
        return promise(resolve) if self.is_pending else resolve()

    def _out(self, call: Call) -> None:
        outer = (call.control, call.halt) if call.name == "send" else (call.control,)
        whole = construct(*(sink_label(value) for value in call.arguments.values()), *outer)
        content = [shown(release(value, PERMIT)) for value in call.arguments.values()]
        self.sent.append(Sent(call.name, f"{call.site.line}:{call.site.column}", str(content), whole))

    def _u(self, which: int) -> int:
        at = which % len(self.inputs.u)
        self.read[f"u{at}"] = self.inputs.u[at]
        return self.inputs.u[at]

    def _s(self, which: int) -> int:
        at = which % len(self.inputs.s)
        self.read[f"s{at}"] = self.inputs.s[at]
        return self.inputs.s[at]

    def _result(self, name: str, which: int) -> Labelled:
        match name:
            case "num":
                return Labelled(self._u(which), WRITTEN)
            case "web_num":
                return Labelled(self._u(which) + 1, FOUND)
            case "word":
                return Labelled(_WORDS[self._u(which)], WRITTEN)
            case "nums":
                return _numbers(self._u(which), WRITTEN, WRITTEN)
            case "counted":
                return _numbers(self._u(which), label([STORE, MAIL]), KNOWN)
            case "flag":
                return Labelled(self._u(which) == 1, label(choice=[MAIL], bits=1))
            case "mails":
                return _messages(self._u(which), self._u(which + 1), steered(KNOWN, PICK), WRITTEN)
            case "secret":
                return Labelled(self._s(0), SECRET)
            case "secret_word":
                return Labelled(_WORDS[self._s(0)], SECRET)
            case "secrets":
                return _numbers(self._s(0), SECRET, SECRET)
            case "shared":
                return Labelled(self._s(1), SHARED)
            case "hidden":
                return Labelled((self._u(which) + self._s(0)) % 3, LETTER)
            case "picky":
                return Labelled(1, KNOWN)
            case "shaky":
                return Labelled(_or_fails(self._u(which)), KNOWN)
            case "guarded":
                return Labelled(_or_fails(self._s(0)), KNOWN)
            case "letters":
                return _messages(self._s(0), self._u(which), steered(SECRET, steered(PICK, SECRET_PICK)), LETTER)
            case _:
                raise ValueError(name)

    def ended(self, halt: Label) -> None:
        """What is queued goes out now."""
        self.halt = halt

    def steers(self, gains: Mapping[Slot, Label]) -> None:
        """What decided over each key goes to the store, for later runs: the agent's matter."""

    def at_the_end(self, sent: Sent) -> Sent:
        """What is queued takes halt as one bit (decision 13)."""
        if sent.door != "emit":
            return sent
        return Sent(sent.door, sent.place, sent.content, construct(sent.label, steering(self.halt, 1)))

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """Others decide whether `shaky` fails, and a secret whether `guarded` does; the rest do not fail."""
        return {"shaky": WRITTEN, "guarded": SECRET}.get(name, NOTHING)

    def now(self) -> Value:
        """The same in all runs."""
        return make(datetime(2026, 1, 5, 9, 30, tzinfo=UTC), KNOWN)

    def reveal(self, showing: Showing) -> None:
        """Goes to the planner; what it costs is the agent's matter."""

    def ask_quarantined(self, question: Question) -> Value:
        """An answer that the attacker chose, knowing all inputs: a function of instruction, data and `u[0]`."""
        texts = [shown(release(value, PERMIT)) for value in (question.instruction, *question.data)]
        number = sum(map(ord, "".join(texts))) + self._u(0)
        answer = answered_as(question.returns, number)
        labels = [sink_label(value) for value in question.data]
        instruction = sink_label(question.instruction)
        whole = construct(instruction, *labels, question.control, question.halt)
        self.sent.append(Sent("ask", f"{question.site.line}:{question.site.column}", str(texts), whole))
        return self._promised(lambda: admit(label_reading(answer, question.returns, instruction, labels)))

    def answer(self, reply: Reply) -> None:
        """The pieces of an answer, each going out by itself."""
        for piece in reply.pieces:
            place = f"{reply.site.line}:{reply.site.column}"
            self.sent.append(
                Sent("answer", place, shown(release(piece, PERMIT)), construct(sink_label(piece), reply.control))
            )


def _or_fails(number: int) -> int:
    """Always the same, but when it fails."""
    if number == 2:
        raise ToolError("out of order")
    return 1


def _numbers(count: int, shape: Label, each: Label) -> Labelled:
    return Labelled(tuple(Labelled(number, each) for number in range(1, count + 1)), shape)


def _messages(order: int, written: int, known: Label, content: Label) -> Labelled:
    """Three messages, rotated by `order` (2: one is missing); their bodies say `written`."""
    shape = label(
        known.data, choice=known.choice, bits=known.bits, readers=known.readers, steer=known.steer, intact=False
    )
    numbers = [1, 2, 3][order:] + [1, 2, 3][:order] if order < 2 else [3, 1]

    def message(number: int) -> Labelled:
        parts = {
            "id": Labelled(f"m{number}", known),
            "body": Labelled(_WORDS[(number + written) % 3], content),
            "is_unread": Labelled(number == 2, known),
            "size": Labelled(number, known),
        }
        return Labelled(parts, known, EMAIL)

    return Labelled(tuple(map(message, numbers)), shape)


def _under(given: Labelled, outer: Label) -> Labelled:
    """What a tool found, steered by its argument: the argument's sources count as written into it."""
    if outer.is_trusted and outer.readers.names is None and outer.steer.names is None:
        return given
    data = given.data
    if isinstance(data, tuple):
        data = tuple(_under(item, outer) for item in data)
    elif isinstance(data, dict):
        data = {name: _under(part, outer) for name, part in data.items()}
    return Labelled(data, construct(given.label, outer), given.record)


def answered(kind: object, number: int) -> Plain:
    """The quarantined model's answer of a plain Python type."""
    named = {bool: BOOL, int: INT, float: Scalar("float"), str: STR}
    return answered_as(named[kind], number)


def answered_as(declared: Type, number: int) -> Plain:
    """The quarantined model's answer of a declared type: a function of a number."""
    match declared:
        case Scalar("bool"):
            return number % 2 == 0
        case Scalar("int"):
            return number % 3
        case Scalar("float"):
            return float(number % 3)
        case Scalar("None"):
            return None
        case Scalar():
            return _WORDS[number % 3]
        case Menu(choices):
            return choices[number % len(choices)]
        case OptionalOf(inner):
            return None if number % 3 == 0 else answered_as(inner, number)
        case ListOf(item):
            return [answered_as(item, number + position) for position in range(number % 3)]
        case RecordType():
            return {each.name: answered_as(each.type, number + at) for at, each in enumerate(declared.fields)}


def shown(given: Labelled) -> str:
    """The data as text that tells 1, 1.0 and True apart."""
    match given.data:
        case tuple() as items:
            return f"[{', '.join(map(shown, items))}]"
        case dict() as named:
            return f"{{{', '.join(f'{name}: {shown(part)}' for name, part in named.items())}}}"
        case scalar:
            return repr(scalar)


def variations(u: Sequence[tuple[int, ...]], s: Sequence[tuple[int, ...]]) -> list[Inputs]:
    """All pairs."""
    return [Inputs(each, other) for each in u for other in s]
