"""Cases: calls that a person describes in a TOML file, with what should be decided about each. `armslength policy test` decides them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from armslength.errors import ConfigError
from armslength.events import Trust
from armslength.labels import NOTHING, Label
from armslength.policy.action import UNCOUNTED, Action, Argument, Decision, Verdict, at_sink
from armslength.policy.schema import Declared, Vocabulary, is_a_source
from armslength.policy.wording import label_in_words

_KEYS = ("name", "call", "arguments", "receivers", "vouched", "happens", "strict", "expect", "rules")
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Case:
    """A call and what is expected of it. `rules`: which must speak, exactly; None where that is not said."""

    name: str
    action: Action
    is_strict: bool
    expected: Verdict
    rules: tuple[str, ...] | None

    def misses(self, decision: Decision) -> str:
        """How the decision is another than expected, in words; nothing if it is not."""
        spoke = tuple(dict.fromkeys(reason.rule for reason in decision.reasons))
        said = f"{decision.verdict} by {', '.join(spoke)}"
        if decision.verdict != self.expected:
            return f"expected {self.expected}, got {said}"
        if self.rules is not None and set(self.rules) != set(spoke):
            return f"expected {self.expected} by {', '.join(self.rules)}, got {said}"
        return ""


def read_cases(loaded: Mapping[str, Any], file: str, vocabulary: Vocabulary, trust: Trust) -> tuple[Case, ...]:
    """The cases of a file.

    Raises:
        ConfigError: with the file and the case, what is not understood.
    """
    listed = loaded.get("case")
    if set(loaded) != {"case"} or not isinstance(listed, list) or not listed:
        raise ConfigError(f"{file}: cases are tables [[case]], and nothing else stands in the file")
    return tuple(
        _Reader(f"{file}: case {place}", case, vocabulary, trust).case(place) for place, case in enumerate(listed, 1)
    )


class _Reader:
    """Reads one case; `where` begins each message."""

    def __init__(self, where: str, case: object, vocabulary: Vocabulary, trust: Trust) -> None:
        self._where, self._vocabulary, self._trust = where, vocabulary, trust
        if not isinstance(case, dict):
            raise self._wrong("is a table [[case]]")
        self._given: dict[str, Any] = case

    def case(self, place: int) -> Case:
        self._refuse_unknown(self._given, _KEYS, "is nothing that a case says")
        tool = self._tool()
        expected = self._text("expect")
        if expected not in _VERDICTS:
            raise self._wrong(f"expect must be one of {', '.join(_VERDICTS)}")
        rules = self._get("rules", list, None)
        return Case(
            name=str(self._get("name", str, f"case {place}")),
            action=self._action(tool),
            is_strict=self._get("strict", bool, False),
            expected=expected,
            rules=None if rules is None else tuple(str(name) for name in rules),
        )

    def _tool(self) -> Declared:
        call = self._text("call")
        self._refuse_unknown([call], tuple(self._vocabulary.actions), "is no effect of a tool in use")
        return self._vocabulary.actions[call]

    def _action(self, tool: Declared) -> Action:
        given = self._get("arguments", dict, {})
        self._refuse_unknown(given, tuple(each.name for each in tool.parameters), f"is no argument of {tool.name}")
        missing = [each.name for each in tool.parameters if each.name not in given and not each.is_optional]
        if missing:
            raise self._wrong(
                f'{tool.name} needs {", ".join(missing)}; give whose words it holds, such as {missing[0]} = "program"'
            )
        control = self._label("happens", self._given["happens"]) if "happens" in self._given else NOTHING
        return Action(
            tool=tool.name,
            arguments=tuple(
                Argument(each.name, each.role, at_sink(own, control), own)
                for each in tool.parameters
                if each.name in given
                for own in (self._label(each.name, given[each.name]),)
            ),
            control=control,
            receivers=self._receivers(tool),
            are_vouched=self._get("vouched", bool, True),
            changes=tool.store,
            is_undoable=tool.is_undoable,
            takes_back=tool.takes_back,
            are_known=self._get("known", bool, False),
            told=self._get("told", int, UNCOUNTED),
        )

    def _receivers(self, tool: Declared) -> tuple[str, ...] | None:
        given = self._given.get("receivers")
        if given == "unknown":
            return None
        if given is None and not tool.has_receivers:
            return ()
        if not isinstance(given, list) or not all(isinstance(name, str) and name for name in given):
            raise self._wrong(f'{tool.name} has receivers; write receivers = ["kim@b.example"], or "unknown"')
        return tuple(name.lower() for name in given)

    def _label(self, name: str, words: object) -> Label:
        if not isinstance(words, str):
            raise self._wrong(f'{name} is a text that says whose words it holds, such as "program"')
        if name == "happens":
            words = f"program; {words}"
        try:
            return label_in_words(words, self._trust, self._is_source)
        except ValueError as error:
            raise self._wrong(f"{name}: {error}") from error

    @property
    def _is_source(self) -> Callable[[str], bool]:
        return lambda name: is_a_source(name, self._vocabulary)

    def _text(self, key: str) -> str:
        found = self._get(key, str, "")
        if not found:
            raise self._wrong(f"says no {key}")
        return str(found)

    def _get(self, key: str, kind: type, default: Any) -> Any:
        found = self._given.get(key, default)
        if found is not default and type(found) is not kind:
            kinds = {str: "a text", bool: "true or false", list: "a list", dict: "a table"}
            raise self._wrong(f"{key} must be {kinds[kind]}")
        return found

    def _refuse_unknown(self, given: Iterable[str], known: tuple[str, ...], said: str) -> None:
        for name in given:
            if name not in known:
                close = get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(known)}"
                raise self._wrong(f"{name} {said}; {hint}")

    def _wrong(self, said: str) -> ConfigError:
        return ConfigError(f"{self._where}: {said}")
