"""What a tool declares, and the decorator that makes a Python function one.

A tool says separately: the store it reads, the store it changes and whether an inverse exists, its receivers, the role of each
parameter, and the labels of what it returns. What is not declared is read in the strictest way: parameters have every role at once,
receivers are unknown, results are untrusted and private, and they contain the arguments.
"""

from __future__ import annotations

import hashlib
import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, ParamSpec, TypeVar

from armslength.errors import ConfigError, WrongResult
from armslength.labels import NOTHING, PRIVATE, Label, Source, label
from armslength.schema import Origin, Signature, Type
from armslength.tools.annotations import label_plain, signature_of
from armslength.tools.bearing import Bearing
from armslength.tools.opened import Acting
from armslength.tools.usual import Usual, Usually
from armslength.values import Labelled, Plain

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Role(Enum):
    """What a parameter is for: it decides who or what is affected, it goes to the receivers, or it only selects; or maybe each."""

    TARGET = "target"
    CONTENT = "content"
    QUERY = "query"
    UNDECLARED = "undeclared"


@dataclass(frozen=True, slots=True)
class Receivers:
    """Who learns something from a call. `names` is None where the tool cannot say: then a person must.

    `are_vouched`: they come from the arguments, the store or the user's own doing. Names that only a mail itself claims are not
    vouched for, and a person is asked about them whatever the labels of the arguments say.
    """

    names: tuple[str, ...] | None = field(repr=False)
    are_vouched: bool = True
    called: str = field(default="", repr=False, compare=False)
    """The name that the first of them gives itself, where that is what it was found by: the display name of a mail that is answered."""


NOBODY = Receivers(())
UNKNOWN = Receivers(None)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a tool gets beside its plain arguments, if its first parameter is annotated so.

    `labels`: the sink label of each argument, for the ledger of what is written. `now`: the start of the run (its only clock).
    `key`: of an effect, one for each effect of each run, the same if it is carried out again after a crash; of a read, empty.
    """

    labels: Mapping[str, Label]
    now: datetime
    key: str = ""


def names_in(known: Label) -> tuple[str, ...]:
    """The names of a label's untrusted sources, for `Prospect.whose`."""
    return tuple(sorted(source.name for source in known.data | known.choice if not source.is_trusted))


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a call would find and leave, looked up when a person is to be asked, and again just before it is done.

    `place`: what is changed, such as a path. `before` and `after`: its whole text, None where there is nothing. `whose`: the sources of
    `before`. `holds`: the arguments that stand whole in `after`. `state`: what else must still be so, such as a digest or the id of a
    message. `account`: whom it goes out from.
    """

    place: str = field(default="", repr=False)
    before: str | None = field(default=None, repr=False)
    after: str | None = field(default=None, repr=False)
    whose: tuple[str, ...] = field(default=(), repr=False)
    holds: tuple[str, ...] = ()
    state: str = field(default="", repr=False)
    account: str = ""


UndoProspect = Callable[[ToolCall, dict[str, Plain], Plain, Sequence[Prospect]], Prospect]
"""What `undo` of a call with this outcome would find and leave, once inverses that leave these are done. ToolError where it would refuse."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A declared tool.

    `run(call, args)` does it and returns labelled data. `undo(call, args, outcome)` reverts it, and exists only if it really does;
    `outcome` is what `run` returned, plain. `picks`: results are stored things picked whole by the arguments; otherwise they contain them.
    `version` changes with the declaration and with the code that `version_of` was given, so an approval covers both.
    """

    signature: Signature
    run: Callable[[ToolCall, dict[str, Plain]], Labelled]
    roles: Mapping[str, Role]
    reads: str | None
    changes: str | None
    receivers: Callable[[dict[str, Plain]], Receivers]
    undo: Callable[[ToolCall, dict[str, Plain], Plain], None] | None
    picks: bool
    version: str
    summary: Callable[[dict[str, Plain]], str] | None = field(default=None)
    """One line for the approval screen, e.g. `send a mail`; None shows the tool's name."""
    handles: frozenset[str] = frozenset()
    """Parameters that take a record and use its field `id` only: the controller passes `{"id": ...}`, labelled as reading that field."""
    at_once: int = 8
    """So many calls of one run go beside each other, from several threads; 1 where the code takes one at a time."""
    happened: Callable[[ToolCall, dict[str, Plain]], bool | None] | None = None
    """Whether an effect that was begun with this call's `key` got done before the process was killed; None: it cannot be told.

    False also where doing it again does no more than doing it once. Not declared: it cannot be told.
    """
    usually: Usually | None = None
    """What a call usually gives, as far as that is known before; None: nothing is, and so it is somebody else's and private."""
    usual_receivers: Callable[[dict[str, Plain]], Receivers] | None = None
    """Who usually learns of a call, by its arguments alone, where `receivers` looks into a store."""
    fails_by: tuple[Source, ...] | None = None
    """Who decides, beside the arguments, whether a call fails: whoever writes into what it looks at. None: not declared; (): nobody."""
    may_be_granted: bool = False
    """It neither destroys anything nor pays anybody, so a yes beforehand may cover it. Not declared: each time is asked about."""
    undoable_for: str = ""
    """For how long `undo` can revert it, in words for the screen; nothing where no time ends that."""
    steered: Callable[[str, Decided], None] | None = None
    """Of a tool that sets what lies under a key: whether this one was set was decided so. Told again it says no more."""
    quotes: frozenset[str] = frozenset()
    """Parameters that go out as a marked quotation only: each line of theirs behind a mark."""
    quotable: tuple[str, Callable[[dict[str, Plain]], Labelled]] | None = None
    """A parameter of text in which the call may quote something whole, and what that is: the body of a reply and the mail that is answered."""
    carries: tuple[str, Callable[[dict[str, Plain]], Label]] | None = None
    """What goes out beside the arguments, quoted: its name, and its label. The policy sees it like an argument."""
    names: Callable[[], Mapping[str, str]] | None = None
    """The names that the tool's store has for addresses, by address in lower case."""
    prospect: Callable[[ToolCall, dict[str, Plain]], Prospect] | None = None
    """What a call would find and leave, for the approval screen. Not declared: the arguments are all that is shown."""
    undo_prospect: UndoProspect | None = None
    """What `undo` would find and leave. Not declared: that it refuses is known when a person has said yes to it."""
    knows: Callable[[], frozenset[str]] | None = None
    """The addresses of mail that the person has dealt with, lower case: receivers that are none are named as new."""
    deals_with: Callable[[], frozenset[str]] | None = None
    """Whom the person has dealt with by this tool, as it is written: accounts, members. An address that is one of them is no address of mail."""
    called: Callable[[str], frozenset[str]] | None = None
    """The names that whoever verifiably has this address, lower case, gives himself in what the tool's store holds."""
    acting: Acting | None = None
    """What of the text that it writes would be carried out by whatever opens it. Not declared: nothing is."""
    bears: Mapping[str, Bearing] = field(default_factory=dict)
    """Parameters that take the name of a thing of its store: one that others gave it is, for that very thing, what an id is."""
    is_independent: bool = False
    """A call does the same whether or not earlier calls of tools that say so were made at its store: two mails in an outbox.

    So one can be refused and the other done. Not declared: a change builds on each earlier one to its store.
    """

    def __post_init__(self) -> None:
        """The check before a run is told which store a call looks into or changes.

        Raises:
            ConfigError: what goes out beside the arguments has the name of one, or no name.
        """
        if self.carries is not None and not self._is_apart(self.carries[0]):
            raise ConfigError(f"tool {self.name}: what it carries needs a name of its own, which is no parameter's")
        object.__setattr__(self, "signature", replace(self.signature, reads=self.reads, changes=self.changes))

    def _is_apart(self, name: str) -> bool:
        """Whether the policy can tell what goes out under this name from every argument."""
        return name.isidentifier() and name not in {each.name for each in self.signature.parameters}

    @property
    def name(self) -> str:
        """The name in programs."""
        return self.signature.name

    @property
    def is_effect(self) -> bool:
        """It changes a store or has receivers, so it is decided by the policy. Reads have neither."""
        return self.changes is not None or self.receivers is not nobody

    @property
    def is_looked_up(self) -> bool:
        """Who learns of a call, or what goes out with it, stands in the store that it reads, not in its arguments.

        A change that waits there may say otherwise.
        """
        return self.reads is not None and (self.carries is not None or not _needs_no_store(self.receivers))

    @property
    def doubt(self) -> Label:
        """The label of whether a call fails, beside its arguments: `fails_by` in private; not declared, an untrusted source of its own.

        Known before the call, so it must hold for every result.
        """
        sources = (Source(f"tool:{self.name}"),) if self.fails_by is None else self.fails_by
        return label(sources, readers=PRIVATE, steer=PRIVATE) if sources else NOTHING


def nobody(args: dict[str, Plain]) -> Receivers:  # the shape of every `receivers=`
    """`receivers=` of a tool that only touches this machine."""
    return NOBODY


def anybody(args: dict[str, Plain]) -> Receivers:  # the shape of every `receivers=`
    """`receivers=` where nothing was declared: they are unknown."""
    return UNKNOWN


@dataclass(frozen=True, slots=True)
class Decided:
    """What decided over a key. `run`: whose program may set it. `own`: the keys of that run's effects that did."""

    gain: Label
    run: str
    own: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ByArguments:
    """`receivers=` of a tool whose receivers are a function of these parameters: no store is looked into for them."""

    parameters: tuple[str, ...]
    resolve: Callable[[dict[str, Plain]], Receivers]

    def __call__(self, args: dict[str, Plain]) -> Receivers:
        """Who learns of a call."""
        return self.resolve(args)


def receivers_in(*parameters: str) -> ByArguments:
    """`receivers=` of a tool whose receivers are the strings in these parameters, lower case, each once, in order.

    They are unknown where one is not printable ASCII (letters outside it have lower cases within it), overlong, or one of very many.
    """

    def resolve(args: dict[str, Plain]) -> Receivers:
        names: list[str] = []
        for parameter in parameters:
            given = args.get(parameter)
            for name in given if isinstance(given, list) else [given]:
                if not isinstance(name, str) or not _is_plain(name):
                    return UNKNOWN
                names.append(name.strip(" ").lower())
        if len(names) > _MOST_RECEIVERS:
            return UNKNOWN
        return Receivers(tuple(dict.fromkeys(names)))

    return ByArguments(parameters, resolve)


_MOST_RECEIVERS = 100
_LONGEST_RECEIVER = 320


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isprintable() and len(name) <= _LONGEST_RECEIVER


def tool(  # noqa: PLR0913  # one declaration, all by name
    *,
    name: str | None = None,
    returns: Type | None = None,
    roles: Mapping[str, Role] | None = None,
    reads: str | None = None,
    changes: str | None = "world",
    receivers: Callable[[dict[str, Plain]], Receivers] = anybody,
    undo: Callable[[ToolCall, dict[str, Plain], Plain], None] | None = None,
    picks: bool = False,
    source: Source | None = None,
    origin: Origin | None = None,
    summary: Callable[[dict[str, Plain]], str] | None = None,
    at_once: int = 8,
    fails_by: tuple[Source, ...] | None = None,
    happened: Callable[[ToolCall, dict[str, Plain]], bool | None] | None = None,
    prospect: Callable[[ToolCall, dict[str, Plain]], Prospect] | None = None,
    undo_prospect: UndoProspect | None = None,
    knows: Callable[[], frozenset[str]] | None = None,
    may_be_granted: bool = False,
    acting: Acting | None = None,
    is_independent: bool = False,
    usually: Usually | None = None,
) -> Callable[[Callable[..., Any]], Tool]:
    """Make a tool of a function. Types come from its annotations, the planner's description from its docstring's first line.

    A tool that only reads says `changes=None, receivers=nobody`. The function returns plain data, which gets the label
    `source` (default `tool:NAME`, untrusted) and is private, or `Labelled` data. `origin` is what the planner is told of that.

    Raises:
        ConfigError: an annotation is no type of the language, or a role names no parameter.
    """

    def declare(function: Callable[..., Any]) -> Tool:
        declared, wants_call = signature_of(function, name or function.__name__, returns, ToolCall)
        declared = declared if origin is None else replace(declared, origin=origin)
        default_label = label([source or Source(f"tool:{declared.name}")], readers=PRIVATE, steer=PRIVATE)

        def run(call: ToolCall, args: dict[str, Plain]) -> Labelled:
            result = function(call, **args) if wants_call else function(**args)
            try:
                return label_plain(result, declared.returns, default_label)
            except (TypeError, KeyError, AttributeError) as error:
                raise WrongResult(f"{declared.name} gave a result of another type than it declares") from error

        return Tool(
            signature=declared,
            run=run,
            roles=_whole_roles(declared, roles or {}),
            reads=reads,
            changes=changes,
            receivers=receivers,
            undo=undo,
            picks=picks,
            version=version_of(declared, function),
            summary=summary,
            at_once=at_once,
            fails_by=fails_by,
            happened=happened,
            prospect=prospect,
            undo_prospect=undo_prospect,
            knows=knows,
            may_be_granted=may_be_granted,
            acting=acting,
            is_independent=is_independent,
            usually=usually or (lambda _args, _where: Usual(default_label)),
        )

    return declare


def one_at_a_time(given: Tool, alone: AbstractContextManager[object]) -> Tool:
    """The tool for a store whose code takes one call at a time: whatever it does, it holds `alone`, as all tools of that store do."""

    def held(function: Callable[_P, _R]) -> Callable[_P, _R]:
        def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            with alone:
                return function(*args, **kwargs)

        return run

    declared = {name: getattr(given, name) for name in _BESIDE_RUN}
    others: dict[str, Any] = {name: held(function) for name, function in declared.items() if function is not None}
    return replace(
        given,
        run=held(given.run),
        receivers=given.receivers if _needs_no_store(given.receivers) else held(given.receivers),
        acting=None if given.acting is None else replace(given.acting, does=held(given.acting.does)),
        quotable=None if given.quotable is None else (given.quotable[0], held(given.quotable[1])),
        carries=None if given.carries is None else (given.carries[0], held(given.carries[1])),
        at_once=1,
        **others,
    )


_BESIDE_RUN = "undo", "happened", "summary", "prospect", "undo_prospect", "knows", "deals_with", "names", "called"


def _needs_no_store(receivers: Callable[[dict[str, Plain]], Receivers]) -> bool:
    return receivers is nobody or isinstance(receivers, ByArguments)


def _whole_roles(declared: Signature, given: Mapping[str, Role]) -> dict[str, Role]:
    """A role for each parameter."""
    unknown = set(given) - {parameter.name for parameter in declared.parameters}
    if unknown:
        raise ConfigError(f"tool {declared.name}: a role is given for {sorted(unknown)}, which is no parameter")
    return {parameter.name: given.get(parameter.name, Role.UNDECLARED) for parameter in declared.parameters}


def version_of(signature: Signature, *code: types.ModuleType | Callable[..., Any]) -> str:
    """The version of a tool: a digest of its signature and of the text of its code (functions, modules) where that is at hand.

    `@tool` gives the one function; a tool whose work is done by others names them all.
    """
    texts = [repr(signature)]
    for part in code:
        try:
            texts.append(_text_of(getattr(inspect.unwrap(part), "__code__", part) if callable(part) else part))
        except (OSError, TypeError):
            continue
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


@cache
def _text_of(code: types.ModuleType | types.CodeType | Callable[..., Any]) -> str:
    """Tools are declared anew for each assistant, and finding a function in its file takes longer than the rest of it."""
    return inspect.getsource(code)
