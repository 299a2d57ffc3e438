"""`doctor`: what works of all that is configured, what does not, and what to do."""

from __future__ import annotations

from pathlib import Path

from armslength.app.doctor import Finding, checks_of, examined
from armslength.app.settings import load_settings
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import tame_line, write_json, write_text

MARKS = {"works": "ok  ", "could be better": "hint", "does not work": "FAIL"}
"""How the line of a finding begins, by its state."""


def doctor(config: Path | None, *, is_json: bool) -> Exit:
    """Try everything, say what came of each as it comes, and end with 2 if something does not work.

    Raises:
        ConfigError: the configuration is not understood.
    """
    found = []
    for finding in examined(checks_of(load_settings(config))):
        found.append(finding)
        if not is_json:
            write_text("\n".join(_lines(finding)))
    failed = sum(finding.state == "does not work" for finding in found)
    if is_json:
        write_json(
            {
                "findings": [{"what": f.what, "state": f.state, "said": f.said, "do": f.do} for f in found],
                "failed": failed,
            }
        )
    else:
        hints = sum(finding.state == "could be better" for finding in found)
        write_text(f"{len(found)} tried: {failed} failed, {hints} could be better")
    return Exit.USAGE if failed else Exit.DONE


def _lines(finding: Finding) -> list[str]:
    first = tame_line(f"{MARKS[finding.state]} {finding.what}: {finding.said}")
    return [first, tame_line(f"     {finding.do}")] if finding.do else [first]
