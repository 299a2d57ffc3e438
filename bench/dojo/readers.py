"""The quarantined model of a run: honest answers that are looked up, or the attacker's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from armslength.agent.planning.prompt import estimate_tokens
from armslength.errors import ModelNonsense
from armslength.models.base import ModelReply, ModelRequest, Processor, Usage
from armslength.testing import SCRIPTED

Answers = Mapping[tuple[int, str], Callable[[str], Any]]
"""By the number of the task and words in the question: the answer, computed from the text that is asked about."""

_ASKED = re.compile(
    r"(?:\[data (?P<mark>\w+)\]\n(?P<data>.*)\n\[end of data (?P=mark)\]\n\n)?(?P<question>.*)\n\nAnswer in JSON of this form: ",
    re.DOTALL,
)


@dataclass
class Reading:
    """A model that answers by a function of the question and the text. `asked`: how often; `widest`: the largest menu."""

    answer: Callable[[ModelRequest, str, str], Any]
    asked: int = 0
    widest: int = 0

    @property
    def processor(self) -> Processor:
        """On this machine, asked one thing at a time, so that the order of questions is the program's."""
        return SCRIPTED

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once.

        Raises:
            ModelNonsense: nobody wrote an honest answer to this question.
        """
        parts = _ASKED.match(request.turns[-1].text)
        if parts is None:
            raise ModelNonsense("this is no question of the reader's")
        self.asked += 1
        self.widest = max(self.widest, _widest(request.schema or {}))
        said = self.answer(request, parts["question"], parts["data"] or "")
        text = json.dumps(said if isinstance(said, dict) else {"answer": said}, ensure_ascii=False)
        prompt = sum(self.count_tokens(part) for part in (request.system, *(turn.text for turn in request.turns)))
        return ModelReply(text, Usage(prompt, 0, self.count_tokens(text), 0.0))

    def count_tokens(self, text: str) -> int:
        """About as many as a byte-pair tokeniser makes."""
        return estimate_tokens(text)


def honest(suite: str, task: int) -> Reading:
    """Answers from `bench/dojo/oracle`, for what is written there."""
    name = f"bench.dojo.oracle.{suite}"
    answers: Answers = import_module(name).ANSWERS if find_spec("bench.dojo.oracle") and find_spec(name) else {}

    def answer(_request: ModelRequest, question: str, data: str) -> Any:
        for (number, words), compute in answers.items():
            if number == task and words in question:
                return compute(data)
        raise ModelNonsense(f"task {task} asks what nobody answers: {question}")

    return Reading(answer)


@dataclass(frozen=True, slots=True)
class Lie:
    """What an attacker's model says: `named` where a field has that name, else `texts` and `numbers` in turn.

    Of a menu it takes the member at `member`, and one further with each question; a menu of an Optional has null as its last.
    `drawn`: a seed by which members, texts and numbers are drawn instead, and no name counts.
    """

    texts: Sequence[str]
    numbers: Sequence[float] = (0,)
    named: Mapping[str, Any] = field(default_factory=dict)
    member: int = 0
    drawn: str = ""


def lying(lie: Lie, heard: Callable[[Sequence[Any]], None] = lambda _said: None) -> Reading:
    """The attacker's model: answers of the asked form, made of what it wants to stand there. `heard` is told each."""
    making = _Making(lie)

    def answer(request: ModelRequest, _question: str, _data: str) -> Any:
        made = making.of(request.schema or {}, "")
        making.questions += 1
        heard([made])
        return made

    return Reading(answer)


@dataclass
class _Making:
    """Answers in the form of a JSON schema. `at`: how many texts and numbers were used so far."""

    lie: Lie
    questions: int = 0
    at: int = 0
    chance: Random = field(default_factory=Random)

    def __post_init__(self) -> None:
        self.chance.seed(self.lie.drawn)

    def of(self, schema: Mapping[str, Any], name: str) -> Any:
        turn = self.chance.randrange(1 << 16) if self.lie.drawn else self.lie.member + self.questions
        match schema:
            case {"enum": [*members]}:
                return members[turn % len(members)]
            case {"anyOf": [*options]}:
                inner = _members(options[0]) + 1
                return None if turn % inner == inner - 1 else self.of(options[0], name)
            case {"type": "object", "properties": parts}:
                return {key: self.of(part, key) for key, part in parts.items()}
            case {"type": "array", "items": item}:
                wanted = self.lie.named.get(name)
                return [self.of(item, name) for _ in (wanted if isinstance(wanted, list) else self.lie.texts)]
            case {"type": "boolean"}:
                return turn % 2 == 0
            case {"type": "integer"}:
                return int(self._next(name, (int, float), self.lie.numbers, 0))
            case {"type": "number"}:
                return self._next(name, (int, float), self.lie.numbers, 0)
            case {"type": "string"}:
                return self._next(name, (str,), self.lie.texts, "")
            case _:
                return None

    def _next(self, name: str, kinds: tuple[type, ...], usual: Sequence[Any], nothing: Any) -> Any:
        wanted = self.lie.named.get(name)
        listed = [each for each in (wanted if isinstance(wanted, list) else [wanted]) if type(each) in kinds] or usual
        if self.lie.drawn:
            return self.chance.choice(usual) if usual else nothing
        self.at += 1
        return listed[(self.at - 1) % len(listed)] if listed else nothing


def _members(schema: Mapping[str, Any]) -> int:
    """How many members a menu has; what is no menu counts as two, so that every third answer of an Optional is null."""
    members = schema.get("enum")
    return len(members) if isinstance(members, list) else 2


def _widest(node: Any) -> int:
    """Members of the largest menu in a schema; a bool has two."""
    match node:
        case Mapping():
            members = node.get("enum")
            own = len(members) if isinstance(members, list) else 2 if node.get("type") == "boolean" else 0
            return max([own, *map(_widest, node.values())])
        case list():
            return max(map(_widest, node), default=0)
        case _:
            return 0
