"""The one decision over effects and releases: allow, ask or deny, with the name of each rule that spoke and its reason.

The rules are Cedar: default.cedar, then the user's. Every rule sees labels and declarations, never content. A rule can only make a
decision stricter, and an effect that no rule objects to is allowed only because Cedar answered Allow: no answer, an answer that cannot
be understood and a rule that could not be evaluated are denials.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cedarpy import AuthzResult, is_authorized
from cedarpy import Decision as Answer

from armslength.labels import NOTHING, Label, made_of
from armslength.policy.action import (
    SHOW_TO_MODEL,
    Action,
    Argument,
    Decision,
    Reason,
    RoleName,
    Verdict,
    at_sink,
    in_line,
    name_sources,
)
from armslength.policy.compiled import Compiled, Spoken, compiled_for, entities_for
from armslength.policy.facts import request_of, strangers
from armslength.policy.rules import PLACEHOLDER, Rules
from armslength.policy.settings import Clearance, Group, PolicySettings

__all__ = [
    "Action",
    "Argument",
    "Clearance",
    "Decision",
    "Group",
    "Policy",
    "PolicySettings",
    "Reason",
    "RoleName",
    "Rules",
    "Verdict",
    "at_sink",
    "in_line",
    "name_sources",
]


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules in force and what the configuration says to them."""

    rules: Rules
    settings: PolicySettings

    def decide(self, action: Action) -> Decision:
        """The one decision. Denials come before questions; nothing but a clean pass of every rule allows."""
        compiled = compiled_for(self.rules, action)
        request = request_of(action, self.settings, compiled.named)
        try:
            answered = is_authorized(request, compiled.policies, entities_for(action.tool, self.settings))
        except ValueError:
            return _unclear(compiled, ())
        if answered.diagnostics.errors:
            return _unclear(compiled, answered.diagnostics.errors)
        match answered.decision:
            case Answer.Allow:
                return Decision("allow", self._reasons(action, _spoken(compiled, answered)))
            case Answer.Deny:
                return self._objected(action, _spoken(compiled, answered))
            case _:
                return _unclear(compiled, ())

    def decide_showing(self, label: Label, processor: str, *, is_local: bool) -> Decision:
        """Whether data may go to a model's provider. Nobody can be asked there: only allow lets it."""
        receivers = () if is_local else (processor,)
        words = Argument("words", "content", label)
        return self.decide(Action(SHOW_TO_MODEL, (words,), NOTHING, receivers, True, None, False))

    def _objected(self, action: Action, spoken: list[Spoken]) -> Decision:
        for verdict in ("deny", "ask"):
            said = [each for each in spoken if each.rule.verdict == verdict]
            if said:
                return Decision(verdict, self._reasons(action, said))
        return Decision("deny", (Reason("nothing-permits", "no rule permits it"),))

    def _reasons(self, action: Action, spoken: Iterable[Spoken]) -> tuple[Reason, ...]:
        """In the rules' order, each said once. What is said of several arguments alike is said of none in particular."""
        found: dict[Reason, Reason] = {}
        for each in spoken:
            about = None if each.argument is None else action.arguments[each.argument].name
            reason = Reason(each.rule.name, self._said(action, each), about)
            before = found.get(reason)
            found[reason] = reason if before is None or before.argument == about else replace(reason, argument=None)
        return tuple(found.values())

    def _said(self, action: Action, spoken: Spoken) -> str:
        argument = None if spoken.argument is None else action.arguments[spoken.argument]

        def placed(name: str) -> str:
            match name:
                case "argument" if argument is not None:
                    return argument.name
                case "sources" if argument is not None:
                    return name_sources(argument.label.data)
                case "strangers" if argument is not None:
                    return ", ".join(strangers(action, argument.label, self.settings)) or "nobody"
                case "deciders":
                    return _deciders(action.control)
                case "receivers":
                    return "somebody unknown" if action.receivers is None else ", ".join(action.receivers) or "nobody"
                case "tool":
                    return action.tool
                case _:
                    return action.changes or "no store"

        return PLACEHOLDER.sub(lambda found: placed(found[1]), spoken.rule.reason)


def _deciders(control: Label) -> str:
    """Who decided that it happens: whoever is held for the author of that, else whoever had a say in it."""
    made = made_of(control)
    return name_sources(made.data if not made.is_chosen else made.data | made.choice)


def _spoken(compiled: Compiled, answered: AuthzResult) -> list[Spoken]:
    found = [compiled.spoken[key] for key in answered.diagnostics.reasons]
    return sorted(found, key=lambda each: (each.place, -1 if each.argument is None else each.argument))


def _unclear(compiled: Compiled, errors: Iterable[str]) -> Decision:
    """Cedar passes over a rule that it cannot evaluate, which would let through what the rule is there to stop."""
    failed = sorted(
        {each.rule.name for key, each in compiled.spoken.items() if any(f"`{key}`" in error for error in errors)}
    )
    which = f"the rule {', '.join(failed)} cannot be evaluated" if failed else "the policy gives no answer"
    return Decision("deny", (Reason("policy-error", which),))
