"""The command line: `armslength`. Every way to end has one line and one exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from armslength.errors import ArmslengthError
from armslength.surfaces.exits import Exit, exit_of

if TYPE_CHECKING:
    from cyclopts import CycloptsError

_DEBUG = "ARMSLENGTH_DEBUG"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command (default: this process's arguments) and give its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return int(_run(words))
    except KeyboardInterrupt:
        return _end(Exit.INTERRUPTED, "Interrupted", "stopped by Ctrl-C", words)
    except ArmslengthError as error:
        return _end(exit_of(error), type(error).__name__, str(error), words)
    except BrokenPipeError:
        from armslength.surfaces.output import stop_writing

        stop_writing()
        return int(Exit.BUG)
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        return _end(
            Exit.BUG, "Bug", f"{type(error).__name__}: this is a bug; {_DEBUG}=1 shows where it happened", words
        )


def _run(words: list[str]) -> Exit:
    from cyclopts import CycloptsError

    from armslength.surfaces.commands import app
    from armslength.surfaces.output import make_printable

    make_printable()
    try:
        code = app(words)
    except CycloptsError as error:
        return Exit(_end(Exit.USAGE, "Usage", f"{_wrong_usage(error)}; armslength --help shows what there is", words))
    return code if isinstance(code, Exit) else Exit.DONE


def _wrong_usage(error: CycloptsError) -> str:
    """What the library says, without its list of commands, which it cuts off, and with words left over named as such."""
    from cyclopts import UnusedCliTokensError

    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return f"nothing is known to be done with: {' '.join(error.unused_tokens)}"
    return str(error).partition(" Available commands: ")[0].rstrip(".")


def _end(code: Exit, kind: str, message: str, words: list[str]) -> int:
    """One line on standard error; where JSON was asked for, the error is the one object on standard output."""
    from armslength.surfaces.output import complain, write_json

    complain(message)
    options = words[: words.index("--")] if "--" in words else words
    if "--json" in options:
        write_json({"error": {"kind": kind, "message": message}, "exit": int(code)})
    return int(code)
