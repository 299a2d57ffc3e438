"""What a person accepted of each server: its tools' declarations, and which of them were found changed since.

Kept in one file that other hands cannot change unseen (`Keeper`). Nothing of a server that does not stand here is a tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Protocol

from armslength.errors import OperatorError
from armslength.tools.mcp.declaration import Declaration, declaration_of

VERSION = 1


class Keeper(Protocol):
    """Who keeps the bytes. Raises OperatorError where they cannot be kept, or are not what was kept."""

    def read(self) -> bytes | None:
        """What was written last, None if nothing was."""
        ...

    def write(self, content: bytes) -> None:
        """Keep this instead, whole or not at all."""
        ...

    def mark(self, content: bytes) -> str:
        """A keyed hash of that: whoever has no key cannot find by it what it is of. Raises OperatorError where there is no key."""
        ...

    def alone(self) -> Any:
        """A block during which no other process writes."""
        ...


@dataclass(frozen=True, slots=True)
class Pin:
    """An accepted declaration. `is_stopped`: its server was found to declare another one, and nobody has accepted that."""

    declaration: Declaration
    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """Of one server: a mark of where it was when it was accepted (`Server.identity`), and its tools by their own names."""

    mark: str
    tools: Mapping[str, Pin] = field(default_factory=dict)


class Pins:
    """All servers that were looked at, by their configured names."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper, self._threads = keeper, RLock()

    def of(self, server: str) -> Accepted | None:
        """What was accepted of it, None if it never was looked at.

        Raises:
            OperatorError: the file cannot be read, or is not what was written last.
        """
        with self._threads:
            return self._load().get(server)

    def at(self, server: str, identity: str) -> Accepted | None:
        """What was accepted of it where it is now, None if nothing was.

        Raises:
            OperatorError: as above.
        """
        found = self.of(server)
        return found if found is not None and found.mark == self._mark(identity) else None

    def accept(self, server: str, identity: str, pins: Iterable[Pin]) -> None:
        """These are its tools now, and no others.

        Raises:
            OperatorError: the file cannot be written.
        """
        named = {pin.declaration.name: pin for pin in sorted(pins, key=lambda pin: pin.declaration.name)}
        with self._threads, self._keeper.alone():
            self._store({**self._load(), server: Accepted(self._mark(identity), named)})

    def stop(self, server: str, tool: str) -> None:
        """It declares itself otherwise now, so it is no tool until a person has looked.

        Raises:
            OperatorError: the file cannot be written.
        """
        with self._threads, self._keeper.alone():
            found = self._load()
            known = found.get(server)
            if known is None or tool not in known.tools or known.tools[tool].is_stopped:
                return
            pins = {**known.tools, tool: Pin(known.tools[tool].declaration, is_stopped=True)}
            self._store({**found, server: Accepted(known.mark, pins)})

    def watch(self, server: str, identity: str) -> Watching:
        """What is asked of one server before each call."""
        return Watching(self, server, identity)

    def _mark(self, identity: str) -> str:
        return self._keeper.mark(identity.encode())

    def _load(self) -> dict[str, Accepted]:
        content = self._keeper.read()
        if content is None:
            return {}
        try:
            loaded = json.loads(content)
            if loaded["version"] != VERSION:
                raise OperatorError("what was accepted of MCP servers was written by a later version; use that one")
            return {name: _accepted(each) for name, each in loaded["servers"].items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OperatorError(
                "what was accepted of MCP servers is not as it was written; review them again"
            ) from error

    def _store(self, servers: Mapping[str, Accepted]) -> None:
        content = {"version": VERSION, "servers": {name: _to_json(each) for name, each in servers.items()}}
        self._keeper.write(json.dumps(content).encode())


@dataclass(frozen=True, slots=True)
class Watching:
    """One server's part of it, read anew each time."""

    pins: Pins
    server: str
    identity: str = field(repr=False)

    def is_accepted(self, declaration: Declaration) -> bool:
        """Whether the tool is accepted as it is declared here, at the place where its server is, and was not stopped.

        Raises:
            OperatorError: the file cannot be read, or is not what was written last.
        """
        known = self.pins.at(self.server, self.identity)
        pin = None if known is None else known.tools.get(declaration.name)
        return pin is not None and not pin.is_stopped and pin.declaration.digest == declaration.digest

    def stop(self, tool: str) -> None:
        """Its server declares it otherwise.

        Raises:
            OperatorError: the file cannot be written.
        """
        self.pins.stop(self.server, tool)


def _accepted(stored: Any) -> Accepted:
    pins = [Pin(declaration_of(each["declaration"]), each["stopped"] is True) for each in stored["tools"]]
    return Accepted(str(stored["identity"]), {pin.declaration.name: pin for pin in pins})


def _to_json(accepted: Accepted) -> dict[str, Any]:
    tools = [{"declaration": pin.declaration.content, "stopped": pin.is_stopped} for pin in accepted.tools.values()]
    return {"identity": accepted.mark, "tools": tools}
