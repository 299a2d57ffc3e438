"""`chat`: one request after the other, whose programs share names, and commands that look at them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from armslength.agent.runs.trust import trust_of
from armslength.app import Settings, Talk, talk_of
from armslength.app.talk import Name
from armslength.errors import ArmslengthError, ModelError, OperatorError
from armslength.events import labelled_to_json
from armslength.surfaces.approvers import Asking, asking
from armslength.surfaces.asking import (
    MOST_PASTED,
    Begun,
    How,
    ending_line,
    look_at_servers,
    models_of,
    say_interrupted,
    show_result,
    watched,
)
from armslength.surfaces.exits import Exit, exit_of
from armslength.surfaces.flaws import tell_flaws
from armslength.surfaces.held import held_of, in_outbox, opened, send_due
from armslength.surfaces.lines import Lines, Piped, Typed
from armslength.surfaces.output import complain, tame_line, write_text
from armslength.surfaces.progress import Progress
from armslength.surfaces.reports import usage_line
from armslength.surfaces.story import Words, words_of
from armslength.surfaces.undoing import say_stays, tell_undone
from armslength.surfaces.why import draw_story, print_drawn, read_story, source_words, table, words_table

HELP = """\
Write what you want. Names that a program makes are there for the next one.
  /names        the names, what the planner is told of each, and whose words are really in it
  /why          which words of the last request came from whom, and why each effect was done or not
  /why NAME     the words under a name, and whose they are
  /undo-last    take back what the last request changed, as far as that can be; asks first
  /paste        hand over a text with the next request: lines up to a word that is shown first; data, never orders
  /paste WORD   the same with a word of yours
  /forget       begin anew: no names, no earlier requests, and the old ones' file removed; journals and history stay
  /help         this
  /quit         end; so does Ctrl-D. Ctrl-C stops a request that runs, and nothing else
A request that begins with / gets a blank before it."""
_LINE_END = "\n"


def chat(how: How, *, is_resumed: bool) -> Exit:
    """Go on until the lines end. The code is that of the last request that did not end well.

    Raises:
        ArmslengthError: nothing can be asked.
    """
    progress = Progress("quiet" if how.is_quiet else "shown")
    settings = opened(how.config)
    look_at_servers(settings)
    talk = talk_of(settings, watched(settings, progress), is_strict=how.is_strict)
    is_typed = sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
    history = None if settings.keeping.is_encrypted else settings.history
    room = _Room(talk, settings, progress, how, Typed(history, progress) if is_typed else Piped())
    if is_resumed:
        room.resume()
    if is_typed:
        progress.say("write what you want; /help says what else there is, Ctrl-D ends")
    return room.go_on()


@dataclass(slots=True)
class _Room:
    """The loop of one chat. `pasted`: the text that goes with the next request."""

    talk: Talk
    settings: Settings
    progress: Progress
    how: How
    lines: Lines
    pasted: str | None = None
    code: Exit = Exit.DONE

    def go_on(self) -> Exit:
        """Line after line. What a line raises is said, and the next one is read."""
        while (line := self._next()) is not None and line.strip() != "/quit":
            try:
                self._hear(line)
            except KeyboardInterrupt:
                complain("stopped by Ctrl-C")
                self.code = Exit.INTERRUPTED
            except ArmslengthError as error:
                self._complain(error)
        return self.code

    def _next(self) -> str | None:
        while True:
            try:
                return self.lines.read()
            except KeyboardInterrupt:
                if isinstance(self.lines, Piped):
                    raise
                print()
            except OperatorError as error:
                self._complain(error)

    def _complain(self, error: ArmslengthError) -> None:
        complain(str(error))
        self.code = exit_of(error)

    def resume(self) -> None:
        """Go on with the last conversation, and say how it stands.

        Raises:
            OperatorError: it cannot be read.
        """
        if not self.talk.resume():
            self.progress.say("there is no conversation to go on with; this is a new one")
            return
        self.progress.say(f"going on with the conversation {self.talk.name}")
        for request in self.talk.requests[-1:]:
            was = "was cut off in its middle, and /why shows how far it came" if self.talk.last.is_cut_off else "was"
            self.progress.say(f"the last request {was}: {tame_line(request.split(_LINE_END)[0])}")

    def _hear(self, line: str) -> None:
        if not line.strip():
            return
        if _LINE_END in line.strip():
            raise OperatorError(
                "that is a text of several lines; write the request on one line, and hand over a text of others by /paste"
            )
        if not line.startswith("/"):
            self._ask(line.strip())
            return
        word, _, rest = line.strip().partition(" ")
        command = _COMMANDS.get(word)
        if command is None:
            raise OperatorError(
                f"there is no command {word}; /help lists them, and a blank before the / makes it a request"
            )
        command(self, rest.strip())

    def _ask(self, request: str) -> None:
        send_due(self.settings)
        pasted, self.pasted = self.pasted, None
        begun = Begun()
        try:
            with self._asking() as approver:
                result = self.talk.ask(request, pasted=pasted, approver=approver, begun=begun)
        except KeyboardInterrupt:
            self.code = say_interrupted(begun.run, self.settings, self.talk.assistant, How())
            return
        except (ModelError, OperatorError):
            self.pasted = pasted
            if pasted is not None:
                self.progress.say("the text that was handed over goes with the next request instead")
            if begun.run:
                self.progress.say(f"run {begun.run}; /why shows how far it came")
            raise
        tell_flaws(self.settings, result.outcome.program)
        show_result(result, approver.refusal)
        for each in held_of(result.run, self.settings):
            write_text(each.line)
        for line in in_outbox(result.run, self.settings):
            self.progress.say(line)
        if result.outcome.error is not None:
            complain(ending_line(result, "/undo-last"))
            self.code = exit_of(result.outcome.error)
        for shown in result.outcome.shown:
            said = f"is {shown.choice!r}" if shown.is_shown else "was not shown"
            self.progress.say(f"to the planner: {shown.offer.text} {said} ({shown.offer.price} bits)")
        if usage := usage_line(result.spent, models_of(self.talk.assistant)):
            self.progress.say(usage)

    # Commands

    def show_names(self, _rest: str) -> None:
        """What is there, and what the planner may still learn."""
        names = self.talk.names()
        if not names:
            write_text("there are no names yet")
        else:
            rows = [
                (tame_line(each.name), tame_line(each.type) or "-", each.trust, _holds(each, self)) for each in names
            ]
            print_drawn(table(("name", "type", "the planner is told", "really holds words of"), rows))
        write_text(f"the planner may still learn {self.talk.bits_left} bits of data in this conversation")

    def explain(self, rest: str) -> None:
        """Whose words the last request, or a name, holds."""
        if rest:
            self._explain_name(rest)
        elif not self.talk.last.run:
            raise OperatorError("nothing was asked yet")
        else:
            draw_story(read_story(self.settings, self.talk.last.run))

    def _explain_name(self, name: str) -> None:
        found = next((each for each in self.talk.names() if each.name == name), None)
        if found is None:
            raise OperatorError(f"there is no name {name}; /names lists them")
        if found.found is None:
            raise OperatorError(f"{name} has no value: {found.lost}")
        print_drawn(words_table(self._words(found)))

    def words(self, name: Name) -> str:
        """Whose words are under a name, in one line."""
        words = self._words(name)
        came = dict.fromkeys(source for each in words for source in each.came_from)
        steered = dict.fromkeys(source for each in words for source in each.steered_by)
        by = f"; chosen by {source_words(steered)}" if steered else ""
        return f"{source_words(came) or 'nobody'}{by}"

    def _words(self, name: Name) -> tuple[Words, ...]:
        stored = None if name.found is None else labelled_to_json(name.found)
        return words_of("", stored, trust_of(self.settings.trusted))

    def undo(self, _rest: str) -> None:
        """Take back what the last request changed. What stays is said before the question."""
        with self._asking() as approver:
            undone = self.talk.undo_last(approver=approver, stays=say_stays)
        code = tell_undone(undone, approver.refusal)
        self.code = code if undone.error is not None else self.code

    def _asking(self) -> AbstractContextManager[Asking]:
        """Who is asked: a link of its own for each request where it is the page."""
        return asking(self.settings, is_page=self.how.is_page, is_patient=False)

    def paste(self, word: str) -> None:
        """Read a text that goes with the next request. Nothing of it is a request, also where it is given up."""
        self.pasted = None
        try:
            end = word or self.lines.end_word()
            if not word:
                write_text(f"now the text, and after it a line with {end}")
            self.pasted = self._read_text(end)
        except KeyboardInterrupt:
            self.lines.drop_rest()
            complain("stopped by Ctrl-C; no text was handed over")
        else:
            self.progress.say(f"{len(self.pasted):,} characters go with the next request, as data")

    def _read_text(self, end: str) -> str:
        lines, size = list[str](), 0
        while (given := self.lines.read_text(MOST_PASTED)) is not None:
            for line in given.split(_LINE_END):
                if line.strip() == end:
                    if size > MOST_PASTED:
                        raise OperatorError(
                            f"the text is longer than {MOST_PASTED:,} characters; hand over a part of it"
                        )
                    return _LINE_END.join(lines)
                size += len(line) + 1
                if size <= MOST_PASTED:
                    lines.append(line)
        raise OperatorError(f"the text did not end with a line {end}, so nothing of it was handed over")

    def forget(self, _rest: str) -> None:
        """Begin anew."""
        self.pasted = None
        if self.talk.forget():
            write_text("this is a new conversation")
        else:
            write_text("this is a new conversation; the old one was gone on with elsewhere, so its file stays")

    def help(self, _rest: str) -> None:
        """What can be written."""
        write_text(HELP)


def _holds(name: Name, room: _Room) -> str:
    return room.words(name) if name.found is not None else f"({tame_line(name.lost)})"


_COMMANDS: dict[str, Callable[[_Room, str], None]] = {
    "/names": _Room.show_names,
    "/why": _Room.explain,
    "/undo-last": _Room.undo,
    "/paste": _Room.paste,
    "/forget": _Room.forget,
    "/help": _Room.help,
}
