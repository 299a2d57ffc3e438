"""One question of `init` at a time, with its default in brackets; and where a secret is to be."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from armslength.agent.showing.cleaning import clean_line
from armslength.app.secrets import entry_is_taken, forget_secret, is_variable, keep_secret, keeps_secrets
from armslength.errors import ArmslengthError, ConfigError
from armslength.surfaces.output import tame_line, write_text
from armslength.surfaces.setup.answers import Answers

NOTHING = "-"
"""Typed to leave out what has a default."""
_ENTRY = re.compile(r"[A-Za-z0-9._@-]{1,100}")

Wrong = Callable[[str], str]
"""What is wrong with an answer; nothing, if nothing is."""


def anything(_answer: str) -> str:
    """Every answer will do."""
    return ""


@dataclass(slots=True)
class Asker:
    """`kept`: entries that were put into the keyring. `variables`: that were named.

    `given`: the answers so far, which are the defaults of questions that are asked again.
    """

    answers: Answers
    kept: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)
    _places: dict[str, dict[str, Any]] = field(default_factory=dict)
    _typed: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        """One line, made inert: it may hold words of a server."""
        write_text(tame_line(line))

    def ask(self, name: str, question: str, default: str = "", wrong: Wrong = anything) -> str:
        """An answer with which nothing is wrong; empty if there is none. `name`: of the question, in a file of answers.

        Raises:
            ConfigError: nobody answers any more, or the answer of a file is wrong.
        """
        usual = self.given.get(name, default)
        while True:
            said = self.answers.line(name, f"{question} [{clean_line(usual)}]: ")
            answer = usual if said is None else ("" if said == NOTHING else said)
            problem = wrong(answer)
            if not problem:
                self.given[name] = answer
                return answer
            if self.answers.is_file:
                raise ConfigError(f"init: {name}: {problem}; nothing was written")
            self.say(f"  {problem}")

    def choose(self, name: str, question: str, options: Sequence[str], default: str) -> str:
        """One of some words, or what only one of them begins with."""

        def meant(answer: str) -> list[str]:
            return [each for each in options if each == answer] or [
                each for each in options if answer and each.startswith(answer.lower())
            ]

        def wrong(answer: str) -> str:
            return "" if len(meant(answer)) == 1 else f"one of: {', '.join(options)}"

        return meant(self.ask(name, f"{question} ({', '.join(options)})", default, wrong))[0]

    def agrees(self, name: str, question: str, *, usually: bool) -> bool:
        """Yes or no."""
        return self.choose(name, question, ("yes", "no"), "yes" if usually else "no") == "yes"

    def secret(self, name: str, what: str, variable: str, like: str = "") -> dict[str, Any]:
        """Where a secret is, as the configuration has it. What is typed goes into the keyring, or is forgotten at the end.

        `like`: the name of an earlier one that it may be the same as.

        Raises:
            ConfigError: as above.
        """
        place = self.answers.place(name)
        if place is None and like in self._places and name not in self._places:
            place = (
                self._places[like]
                if self.agrees(f"{name}.is_same", f"  Is {what} the same as before", usually=True)
                else None
            )
        places = ("keyring", "environment", "command")
        while place is None:
            usual = "keyring" if keeps_secrets() and not self.answers.is_file else "environment"
            match self.choose(f"{name}.place", f"  Where is {what} to be", places, usual):
                case "keyring":
                    place = self._in_keyring(name, what)
                case "environment":
                    place = {"environment": self._variable(name, what, variable)}
                case _:
                    place = {"command": self._command(name, what)}
        if "environment" in place and place["environment"] not in self.variables:
            self.variables.append(str(place["environment"]))
        self._places[name] = place
        return place

    def end(self, used: Container[str]) -> None:
        """What was typed for trying is forgotten, and what was put into the keyring is taken out of it, unless it is `used`."""
        for variable in self._typed:
            os.environ.pop(variable, None)
        for entry in self.kept:
            if entry not in used:
                with suppress(ArmslengthError):
                    forget_secret(entry)

    def _in_keyring(self, name: str, what: str) -> dict[str, Any] | None:
        """Kept there; None where the keyring cannot be used, which is said: there are other places."""
        try:
            with _keeping():
                entry_is_taken(name)
            return {"keyring": self._entry(name, what)}
        except _Unkept as error:
            if self.answers.is_file:
                raise ConfigError(f"init: {name}: {error}; nothing was written") from error
            self.say(f"  {error}")
            self.given.pop(f"{name}.place", None)
            return None

    def _entry(self, name: str, what: str) -> str:
        """What is there already is used or left alone, never replaced, unless it was put there just now."""
        entry = self.ask(f"{name}.entry", "  Its name in the keyring", name, _wrong_entry)
        with _keeping():
            is_taken = entry not in self.kept and entry_is_taken(entry)
        if is_taken:
            if self.agrees(f"{name}.is_there", f"  The keyring has {entry} already; use what is there", usually=True):
                return entry
            self.given[f"{name}.entry"] = f"{entry}-new"
            return self._entry(name, what)
        secret = self.answers.hidden(f"  {what} (not shown): ")
        while not secret or not secret.isprintable():
            self.say(f"  that was no line of text; {what} is needed")
            secret = self.answers.hidden(f"  {what} (not shown): ")
        with _keeping():
            keep_secret(entry, secret)
        if entry not in self.kept:
            self.kept.append(entry)
        return entry

    def _variable(self, name: str, what: str, variable: str) -> str:
        chosen = self.ask(f"{name}.variable", "  The environment variable", variable, _wrong_variable)
        is_again = chosen in self.variables and name in self._places
        if (chosen not in os.environ or is_again) and not self.answers.is_file:
            self.say(
                f"  {chosen} is not set; for trying it now, type {what}: it is kept nowhere. Nothing: it is not tried"
            )
            if secret := self.answers.hidden("  (not shown): "):
                os.environ[chosen] = secret
                self._typed.append(chosen)
        return chosen

    def _command(self, name: str, what: str) -> list[str]:
        line = self.ask(f"{name}.words", f"  The command that prints {what}", "", _wrong_command)
        return shlex.split(line)


class _Unkept(Exception):
    """The keyring cannot be used; why, and what to do."""


@contextmanager
def _keeping() -> Iterator[None]:
    """What fails in here fails by the keyring: the end of the answers is no failure of it."""
    try:
        yield
    except ArmslengthError as error:
        raise _Unkept(str(error)) from error


def _wrong_entry(answer: str) -> str:
    return "" if _ENTRY.fullmatch(answer) else "a name of letters, digits and . @ - _"


def _wrong_variable(answer: str) -> str:
    return "" if is_variable(answer) else "the name of an environment variable, and not the secret itself"


def _wrong_command(answer: str) -> str:
    try:
        return "" if shlex.split(answer) else "a program and its words, such as: pass show mail"
    except ValueError:
        return "a program and its words; a quotation has no end"
