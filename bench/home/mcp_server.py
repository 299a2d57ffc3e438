"""A server of MCP that does what is written for it while it runs, as a process of its own.

notes = FakeServer(folder, tool("search", {"query": STRING}))
notes.answers("search", "three notes")
Connection(notes.server()).call(...)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armslength.tools.mcp.declaration import Declaration, declaration_of
from armslength.tools.mcp.settings import Child, Server

STRING = {"type": "string"}
PROGRAM = Path(__file__).with_name("mcp_program.py")


def tool(name: str, takes: dict[str, Any] | None = None, about: str = "Does it.", **more: Any) -> dict[str, Any]:
    """A declaration on the wire. All that it takes is required, unless `more` has `required`."""
    takes = takes or {}
    required = more.pop("required", list(takes))
    schema = {"type": "object", "properties": takes, "required": required}
    return {"name": name, "description": about, "inputSchema": schema, **more}


def gives(**fields: Any) -> dict[str, Any]:
    """A schema of an object with these fields, all required."""
    return {"type": "object", "properties": fields, "required": list(fields)}


class Believing:
    """Accepts whatever was declared when it is asked. `stopped`: what it was told."""

    def __init__(self) -> None:
        self.stopped: list[str] = []

    def is_accepted(self, declaration: Declaration) -> bool:
        """Unless it was stopped."""
        return declaration.name not in self.stopped

    def stop(self, tool: str) -> None:
        """Its server declares it otherwise."""
        self.stopped.append(tool)


class FakeServer:
    """A server whose behaviour lies in a folder, and can be changed at any time. `calls_in`: the file in which it writes what it is asked."""

    def __init__(
        self, folder: Path, *tools: dict[str, Any], program: Path = PROGRAM, calls_in: Path | None = None
    ) -> None:
        self.folder, self.program = folder, program
        folder.mkdir(parents=True, exist_ok=True)
        self._calls_in = calls_in or folder / "calls.jsonl"
        self.behave(tools=list(tools), answers={}, calls=str(self._calls_in))

    def behave(self, **changes: Any) -> None:
        """Change what it does."""
        path = self.folder / "behaviour.json"
        known = json.loads(path.read_text("utf-8")) if path.exists() else {}
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps({**known, **changes}), "utf-8")
        fresh.replace(path)

    def declares(self, *tools: dict[str, Any]) -> None:
        """These are its tools from now on."""
        self.behave(tools=list(tools))

    def answers(self, name: str, text: str = "", **more: Any) -> None:
        """What a call of a tool gives; `do` names a misdeed."""
        known = json.loads((self.folder / "behaviour.json").read_text("utf-8"))["answers"]
        self.behave(answers={**known, name: {"content": [{"type": "text", "text": text}] if text else [], **more}})

    def answers_by(self, name: str, parameter: str, answers: Mapping[str, Any]) -> None:
        """What a call of a tool gives, by the value of one of its parameters: structure as it is, under `result`. An error for any other value."""
        each = {value: {"content": [], "structuredContent": {"result": given}} for value, given in answers.items()}
        self.answers(name, by=parameter, each=each)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """What it was asked to do, in order."""
        path = self._calls_in
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    @property
    def arguments(self) -> list[str]:
        """The words with which it is started; `-P` keeps its program's folder, whose files may be named for libraries, from being looked through."""
        return ["-P", str(self.program), str(self.folder)]

    @property
    def declared(self) -> list[Declaration]:
        """Its tools now."""
        return [
            declaration_of(each) for each in json.loads((self.folder / "behaviour.json").read_text("utf-8"))["tools"]
        ]

    def server(self, name: str = "notes", **more: Any) -> Server:
        """It as configured."""
        place = Child(sys.executable, tuple(self.arguments), **more.pop("child", {}))
        return Server(name, place, **more)
