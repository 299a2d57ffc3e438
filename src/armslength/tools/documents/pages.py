"""Pages and mails as text: the one function through which HTML that others wrote becomes text. Nothing of its structure is read in this process.

Each text has a process of its own, which is made by a program that is kept ready (`forking`): a new one for each would take a mailbox's first
reading into hours. Without the kernel's list of calls it is a new one all the same: what was taken over could stop or limit that program. Where no process reads it, it is read without its structure, here, by regular expressions alone, and says so.
"""

from __future__ import annotations

import atexit
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import replace

from armslength.tools.documents.confinement import AT_ONCE, USUAL, Confinement
from armslength.tools.documents.document import Page
from armslength.tools.documents.process import Ended, Job, carried_out, walls
from armslength.tools.documents.ready import Ready
from armslength.tools.text.html_bare import MOST_CHARACTERS, note_of_cut, without_structure

_MOST_SECONDS = 10
"""Of processor time for one page, or all that one mail has."""


def page_text(html: str, address: str = "", confinement: Confinement = USUAL) -> str:
    """The text of a page as `html_text` reads it, for any string. `address`: of a page of the web, from which its links lead."""
    return texts_of([html], address, confinement)[0]


def texts_of(pages: Sequence[str], address: str = "", confinement: Confinement = USUAL) -> list[str]:
    """The texts of several by one author, in one process. Never raises."""
    if not pages:
        return []
    cut = [each[:MOST_CHARACTERS] for each in pages]
    content = json.dumps({"address": address, "pages": cut}, ensure_ascii=False).encode("utf-8", "replace")
    within = replace(confinement, seconds=min(confinement.seconds, _MOST_SECONDS))
    try:
        if not are_read(confinement):
            return [without_structure(each, UNCONFINED) for each in pages]
        with _TURNS:
            ended = _read(Job(content, "page", "utf-8", within))
    except (OSError, ModuleNotFoundError):
        return [without_structure(each, _NOT_STARTED) for each in pages]
    received = ended.received
    if ended.is_misfit or not received.is_whole or not 0 < len(received.pages) <= len(pages):
        return [without_structure(each, _STOPPED) for each in pages]
    texts = [_text(page) + note_of_cut(each) for each, page in zip(pages, received.pages, strict=False)]
    texts[-1] += "".join(f"\n[{note}]" for note in received.notes)
    return texts + [without_structure(each, _TOO_MUCH) for each in pages[len(texts) :]]


def are_read(confinement: Confinement = USUAL) -> bool:
    """Whether a process reads pages on this machine, so that their structure is known."""
    return confinement.without == "read" or not walls().are_none


UNCONFINED = (
    "read without its structure, since nothing confines a process that would read it: text may have been hidden"
)
_NOT_STARTED = "read without its structure, since no process can be started for it: text may have been hidden"
_STOPPED = "read without its structure, since its reader stopped on it: text may have been hidden"
_TOO_MUCH = "read without its structure, since there is so much before it: text may have been hidden"


def _text(read: Page) -> str:
    """Its lines. One that stands at 1 goes on where the one before it ended."""
    return "".join(line.text if line.left else f"\n{line.text}" for line in read.lines)[1:]


# --- programs kept ready ----------------------------------------------------------------------------------------------

_TURNS = threading.BoundedSemaphore(AT_ONCE)
_idle: list[Ready] = []


def _read(job: Job) -> Ended:
    """By one that is ready. One that ended meanwhile is replaced; one that gives no process is asked again."""
    around = walls()
    if not around.program:
        return carried_out(job, around)
    for left in reversed(range(AT_ONCE + 1)):
        ready = _taken()
        try:
            ended = ready.read(job)
        except OSError:
            if not left:
                raise
            continue
        finally:
            _give_back(ready)
        if ended.received.is_locked or ended.is_late or ended.is_misfit:
            return ended
    raise OSError("no process was made")


def _taken() -> Ready:
    try:
        return _idle.pop()
    except IndexError:
        return Ready(walls())


def _give_back(ready: Ready) -> None:
    if ready.is_usable:
        _idle.append(ready)
    else:
        ready.end()


def end_all() -> None:
    """End what is kept ready; what is asked for afterwards is started anew."""
    while _idle:
        _idle.pop().end()


def _forget_all() -> None:
    while _idle:
        _idle.pop().forget()


atexit.register(end_all)
os.register_at_fork(after_in_child=_forget_all)
