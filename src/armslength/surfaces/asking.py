"""`ask` and `plan`: a request carried to its end, or to its program."""

from __future__ import annotations

import ast
import select
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from armslength.agent.planning.preview import Foretold
from armslength.agent.runs.session import Outcome
from armslength.agent.runs.trust import trust_of
from armslength.agent.showing.cleaning import clean, clean_line
from armslength.app import Assistant, Planned, Result, Settings, assistant_of
from armslength.app.kept import Kept
from armslength.app.policies import rules_of
from armslength.errors import ModelError, OperatorError, ProgramFailed, ProgramRefused, Waits
from armslength.language.reading.trees import tree_of
from armslength.policy.rules import Rules, in_general
from armslength.surfaces.approvers import asking
from armslength.surfaces.exits import Exit, exit_of
from armslength.surfaces.flaws import tell_flaws
from armslength.surfaces.held import held_of, in_outbox, opened
from armslength.surfaces.output import complain, tame_line, write_json, write_text
from armslength.surfaces.progress import Progress, WatchedModel, planning, reading
from armslength.surfaces.reports import (
    NOT_ALL_DONE,
    Models,
    change_lines,
    is_all_done,
    models_json,
    raised_text,
    result_json,
    usage_line,
)
from armslength.surfaces.story import NOT_REACHED, UNKNOWN, Decided, Story, tell
from armslength.surfaces.terminal import NO_TERMINAL

MOST_PASTED = 2_000_000
"""Bytes of a text that is handed over on standard input; a longer one is refused, never cut."""
_WAIT = 1.0  # seconds after which the person is told that standard input is being read


@dataclass(frozen=True, slots=True)
class How:
    """How a request is asked: the options of the command line. `waits`: without a terminal a question stays, and is no no."""

    config: Path | None = None
    is_json: bool = False
    is_strict: bool = False
    is_quiet: bool = False
    waits: bool = False
    is_page: bool = False


@dataclass(slots=True)
class Begun:
    """The run's name, once it has one."""

    run: str = ""

    def __call__(self, run: str) -> None:
        """The run has this name."""
        self.run = run


def ask(words: Sequence[str], how: How) -> Exit:
    """Carry a request to its end and show what came of it.

    Raises:
        ArmslengthError: nothing ran.
    """
    request, progress = _request(words, "ask"), Progress("quiet" if how.is_quiet else "shown")
    settings = opened(how.config)
    pasted = read_pasted(progress)
    look_at_servers(settings)
    assistant = watched(settings, progress)
    begun = Begun()
    try:
        with asking(settings, is_page=how.is_page, is_patient=how.waits) as approver:
            result = assistant.ask(request, pasted=pasted, approver=approver, is_strict=how.is_strict, begun=begun)
    except KeyboardInterrupt:
        return say_interrupted(begun.run, settings, assistant, how)
    except Waits as waits:
        return say_waits(waits, how)
    except ModelError as error:
        if begun.run:
            progress.say(f"run {begun.run}; armslength why shows how far it came")
        raise error from None
    tell_flaws(settings, result.outcome.program)
    return tell_result(result, Asked(settings, assistant, approver.refusal), progress, how)


def look_at_servers(settings: Settings) -> None:
    """Before a request: servers of MCP that nobody looked at. Where none is configured, nothing of them is loaded.

    Raises:
        OperatorError: what was accepted cannot be read or written.
    """
    if settings.mcp:
        from armslength.surfaces.mcp import review_first

        review_first(settings)


def say_waits(waits: Waits, how: How, *, again: str = "") -> Exit:
    """The run came to a question that nobody answers now. `again`: the command that was to show it, and found nowhere to."""
    if how.is_json:
        write_json({"run": waits.run, "ending": "waiting", "exit": int(Exit.WAITING)})
    here = f"{NO_TERMINAL}, so the run {waits.run} waits on; call armslength {again} {waits.run} at one, or with --page to be asked in a browser"
    complain(here if again else str(waits))
    return Exit.WAITING


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was asked of, and why the person's answer was a no, if it was."""

    settings: Settings
    assistant: Assistant
    refusal: str


def tell_result(result: Result, asked: Asked, progress: Progress, how: How) -> Exit:
    """Show a run that has ended, what of it is held, what it cost and its name."""
    assistant, code = asked.assistant, exit_of(result.outcome.error)
    held = held_of(result.run, asked.settings)
    if how.is_json:
        made = result_json(result, models_of(assistant), code, asked.refusal)
        write_json({**made, "held": [each.content for each in held]})
    else:
        show_result(result, asked.refusal)
    for each in held if not how.is_json else ():
        write_text(each.line)
    for line in in_outbox(result.run, asked.settings):
        progress.say(line)
    if result.outcome.error is not None:
        undo = f"armslength undo {result.run}"
        complain(ending_line(result, undo) + _how_to_be_asked(asked.refusal))
    if usage := usage_line(result.spent, models_of(assistant)):
        progress.say(usage)
    progress.say(f"run {result.run}; armslength why shows which words came from whom")
    return code


def plan(words: Sequence[str], how: How) -> Exit:
    """Write the program for a request, show it and the tools it calls, run nothing.

    Raises:
        ArmslengthError: there is no program.
    """
    request, progress = _request(words, "plan"), Progress("quiet" if how.is_quiet else "shown")
    settings = opened(how.config)
    pasted = read_pasted(progress)
    look_at_servers(settings)
    assistant = watched(settings, progress)
    planned = assistant.plan(request, pasted=pasted)
    code = Exit.STOPPED if planned.refused else Exit.DONE
    names = [*(tool.name for tool in assistant.tools), "read_pasted_text", "quarantined", "answer"]
    called = called_tools(planned.program, names)
    if how.is_json:
        write_json(_planned_json(planned, called, models_of(assistant), code))
    else:
        shown = [clean(planned.program), f"calls: {', '.join(called) or 'nothing'}"]
        write_text("\n\n".join([*shown, *foretold_lines(planned.foretold, rules_of(settings, assistant.tools))]))
    if planned.refused:
        complain(f"this is no program of the language, so it would not run: {planned.refused}")
    if usage := usage_line(planned.spent, models_of(assistant)):
        progress.say(usage)
    return code


def foretold_lines(foretold: Sequence[Foretold], rules: Rules) -> list[str]:
    """What a program would do, to whom, and what of it would ask, each rule in its words: a block of lines, if there is anything."""
    lines = []
    words = {rule.name: f"{_SAID[rule.verdict]}: {in_general(rule.reason)}" for rule in reversed(rules.listed)}
    for each in foretold:
        lines.append(f"  line {each.line}: {each.tool}{_for_whom(each)}")
        lines += [f"    {_SAID[each.verdict]}: {clean_line(reason.text)} ({reason.rule})" for reason in each.reasons]
        if each.perhaps:
            lines.append("    perhaps, by what it meets:")
            lines += [
                f"      {clean_line(words[name])} ({name})" if name in words else f"      {name}"
                for name in each.perhaps
            ]
    return ["\n".join(["it would do:", *lines])] if lines else []


def _for_whom(each: Foretold) -> str:
    if each.receivers is None:
        return ", for whom is not known before it runs"
    return f" for {clean_line(', '.join(each.receivers))}" if each.receivers else ""


_SAID = {"allow": "no question", "ask": "asks", "deny": "is refused"}


def called_tools(program: str, names: Sequence[str]) -> list[str]:
    """Which of these names the program calls, in the order of their first call."""
    try:
        tree = tree_of(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    ordered = sorted(calls, key=lambda name: (name.lineno, name.col_offset))
    return list(dict.fromkeys(name.id for name in ordered if name.id in names))


def read_pasted(progress: Progress) -> str | None:
    """The text on standard input, if that is no terminal and holds any.

    Raises:
        OperatorError: it is longer than 2 MB.
    """
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return None
    try:
        if not select.select([sys.stdin.fileno()], [], [], _WAIT)[0]:
            progress.say("reading the text on standard input until it ends; < /dev/null hands over none")
        given = sys.stdin.buffer.read(MOST_PASTED + 1)
    except OSError as error:
        raise OperatorError(f"standard input cannot be read: {error.strerror}; hand over a file") from error
    if len(given) > MOST_PASTED:
        raise OperatorError(f"the text on standard input is longer than {MOST_PASTED:,} bytes; hand over a part of it")
    return given.decode("utf-8", "replace") if given else None


def _request(words: Sequence[str], command: str) -> str:
    request = " ".join(words).strip()
    if not request:
        raise OperatorError(f"{command}: there is no request; write it behind, as in: armslength {command} what is new")
    return request


def watched(settings: Settings, progress: Progress) -> Assistant:
    """The configured assistant, whose models tell when they are at work."""
    counting = tuple(replace(each, counting=progress.counted) for each in settings.accounts)
    assistant = assistant_of(replace(settings, accounts=counting), notice=progress.say_once)
    if not settings.is_model_named:
        progress.say(f"no model is configured; using the embedded one ({assistant.planner.processor.model})")
    return replace(
        assistant,
        planner=WatchedModel(assistant.planner, progress, planning),
        quarantined=WatchedModel(assistant.quarantined, progress, reading),
        confined=None if assistant.confined is None else WatchedModel(assistant.confined, progress, reading),
        waiting=progress.waiting,
    )


def models_of(assistant: Assistant) -> Models:
    """Its models by role."""
    return dict(assistant.models)


def _how_to_be_asked(refusal: str) -> str:
    return "; --wait lets the run wait for your answer, --page asks in a browser" if refusal == NO_TERMINAL else ""


def show_result(result: Result, refusal: str) -> None:
    """The answer, what was raised, and what became of each effect."""
    outcome = result.outcome
    shown = [result.text] if result.text else []
    if shown and not is_all_done(outcome.ending, (pending.status for pending in outcome.effects)):
        shown.insert(0, f"{NOT_ALL_DONE}:")
    if outcome.payload is not None:
        shown.append(raised_text(outcome.payload))
    if changes := change_lines(outcome.effects, refusal):
        shown.append("\n".join([*changes, *(each.line for each in outcome.taken)]))
    if not shown and outcome.ending == "done":
        shown.append("done; there is no answer and nothing was changed")
    if shown:
        write_text("\n\n".join(shown))


def ending_line(result: Result, undo: str) -> str:
    """Why a run did not come to its end, in one line. Why a person's answer was a no stands with each effect. `undo`: what takes back what was done."""
    outcome = result.outcome
    if isinstance(outcome.error, ProgramRefused):
        return _no_program(outcome.error, outcome.attempts)
    done = sum(pending.status == "done" for pending in outcome.effects)
    nothing = "nothing else was" if any(pending.status == "failed" for pending in outcome.effects) else "nothing was"
    left = (
        f"{nothing} changed"
        if not done
        else f"what is listed as done ({done}) stays done; {undo} takes back what can be"
    )
    match outcome.ending:
        case "declined":
            return f"refused: {outcome.message}"
        case "partly":
            return f"refused in part: {outcome.message}"
        case "denied":
            return f"refused: {outcome.message}; {left}"
        case _:
            return f"stopped: {_why_stopped(outcome)}; {left}"


def _why_stopped(outcome: Outcome) -> str:
    """The error's own line, which is written for whoever reads programs; before it what it means where nothing was found."""
    error = outcome.error
    if isinstance(error, ProgramFailed) and error.code in _NOT_THERE and outcome.message == str(error):
        return f"the program expected something that is not there (line {error.line}: {error.reason})"
    return outcome.message


_NOT_THERE = {"index", "key"}
"""Codes of failures that most often mean that a search found nothing."""


def _no_program(refused: ProgramRefused, attempts: int) -> str:
    """What the planner would write instead is told to the planner, not to the person."""
    tries = "the program" if attempts == 1 else f"each of {attempts} programs"
    return (
        f"stopped: {tries} that the planner wrote is none that can be run, so nothing was done; ask in other words, or set a larger "
        f"model as planner (in the last one, line {refused.line}: {refused.reason})"
    )


def say_interrupted(run: str, settings: Settings, assistant: Assistant, how: How) -> Exit:
    """Says what had happened before Ctrl-C, from the journal."""
    reaching = {tool.name for tool in assistant.tools if tool.is_effect and tool.changes is None}
    done, unknown = list[str](), list[str]()
    try:
        if run:
            story = tell(run, Kept(settings).entries(run), trust_of(settings.trusted))
            done = [effect.tool for effect in story.decided if effect.status == "done"]
            unknown = [effect.tool for effect in story.decided if _is_unknown(effect, story, reaching)]
        left = "; ".join(
            f"{head}: {', '.join(map(tame_line, names))}"
            for head, names in (("done before", done), ("perhaps done before, look for yourself", unknown))
            if names
        )
        undo = f", armslength undo {run} takes back what can be" if done else ""
        complain(
            f"stopped by Ctrl-C; {f'{left}; armslength why {run} shows it{undo}' if left else 'nothing was changed'}"
        )
    except OperatorError as error:
        complain(f"stopped by Ctrl-C; what was done before is not known: {error}")
    if how.is_json:
        write_json(
            {"run": run, "ending": "interrupted", "exit": int(Exit.INTERRUPTED), "done": done, "unknown": unknown}
        )
    return Exit.INTERRUPTED


def _is_unknown(effect: Decided, story: Story, reaching: set[str]) -> bool:
    """It was begun and its end not written down. A call that reaches out begins with its decision, or with the yes to it."""
    if effect.tool not in reaching or effect.status != NOT_REACHED:
        return effect.status == UNKNOWN
    return effect.verdict == "allow" or (
        effect.verdict == "ask" and any(screen.answer != "no" for screen in story.screens)
    )


def _planned_json(planned: Planned, called: list[str], models: Models, code: Exit) -> dict[str, Any]:
    return {
        "program": planned.program,
        "refused": planned.refused,
        "calls": called,
        "preview": [each.to_json() for each in planned.foretold],
        "exit": int(code),
        "models": models_json(planned.spent, models),
    }
