"""How an extra is installed where this runs: from the clone that the program was installed from, or by the package's name.

Source: PEP 610, the record `direct_url.json` of an installed distribution.
"""

from __future__ import annotations

import importlib.util
import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import unquote, urlsplit

_NAME = "armslength"


def install_command(extra: str) -> str:
    """The command that installs an extra into the environment in which this runs, for a message. It may have no pip of its own."""
    try:
        recorded = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        recorded = None
    here = shlex.quote(sys.executable)
    pip = f"{here} -m pip" if importlib.util.find_spec("pip") else f"python3 -m pip --python {here}"
    return f"{pip} install {shlex.join(what_to_install(extra, recorded))}"


def what_to_install(extra: str, recorded: str | None) -> list[str]:
    """What pip is told, word by word. `recorded`: the text of `direct_url.json`, None where there is none: then the package's name."""
    try:
        found = json.loads(recorded or "")
        parts, folder = urlsplit(found["url"]), found["dir_info"]
    except (ValueError, KeyError, TypeError):
        return [f"{_NAME}[{extra}]"]
    if parts.scheme != "file" or not parts.path:
        return [f"{_NAME}[{extra}]"]
    return [*(["-e"] if folder.get("editable") else []), f"{unquote(parts.path)}[{extra}]"]
