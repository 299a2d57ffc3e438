"""`mcp`: the servers and their tools, looked at by the person before any of them is one; `mcp import`, from other programs' files."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armslength.agent.approving.approval import Answer
from armslength.agent.approving.declared import Candidate, digest_of, screen_of_tools
from armslength.agent.runs.trust import trust_of
from armslength.app import Settings, default_file
from armslength.app.accepted import offers_of, pins_of, server_named, unreviewed
from armslength.app.draft import toml_of
from armslength.app.mcp import Written, servers_of_file
from armslength.app.wiring import local_tools
from armslength.errors import OperatorError, ToolError
from armslength.surfaces.exits import Exit
from armslength.surfaces.held import opened
from armslength.surfaces.output import complain, tame_line, write_json, write_text
from armslength.surfaces.places import tool_facts
from armslength.surfaces.terminal import NO_TERMINAL, TerminalApprover
from armslength.tools.mcp.connection import Connection
from armslength.tools.mcp.declaration import Declaration
from armslength.tools.mcp.offering import offered_by
from armslength.tools.mcp.pins import Accepted, Pin
from armslength.tools.mcp.settings import Child, Remote, Secret, Server
from armslength.tools.text.addresses import without_query


def list_servers(config: Path | None, *, is_json: bool) -> Exit:
    """Each configured server with its tools, and those of its own that are none, with the reason. None is started.

    Raises:
        OperatorError: what was accepted cannot be read.
    """
    settings = opened(config)
    offers = offers_of(settings, trust_of(settings.trusted), local_tools(settings))
    called = [each.name for each in offers.tools if each.name not in offers.stopped]
    fresh = {each.name for each in unreviewed(settings)}
    listed = [
        {
            "name": server.name,
            "place": _place(server),
            "honest": server.is_honest,
            "is_reviewed": server.name not in fresh,
            "tools": [name for name in called if name.startswith(f"{server.name}_")],
            "no_tools": [{"tool": each.tool, "why": each.why} for each in offers.refused if each.server == server.name],
        }
        for server in settings.mcp
    ]
    if is_json:
        write_json({"servers": listed})
    else:
        write_text("\n".join(line for each in listed for line in _lines(each)) or "no MCP server is configured")
    return Exit.DONE


def _lines(each: dict[str, Any]) -> Iterator[str]:
    yield f"{each['name']}: {tame_line(each['place'])}{', whose word you take' if each['honest'] else ''}"
    if not each["is_reviewed"]:
        yield f"    nothing of it was accepted; armslength mcp review {each['name']} shows what it offers"
    yield from (f"    {name}" for name in each["tools"])
    yield from (f"    none: {tame_line(none['tool'])}: {none['why']}" for none in each["no_tools"])


def _place(server: Server) -> str:
    """Where it is, without what its environment gets and what its arguments say."""
    match server.place:
        case Child() as program:
            return " ".join([program.command, *program.shown])
        case remote:
            return without_query(remote.url)


def review(name: str, config: Path | None) -> Exit:
    """Start a server, show what of it is new or other than before, and take the person's answer.

    Raises:
        OperatorError: there is no such server, it cannot be asked, or what was accepted cannot be written.
    """
    settings = opened(config)
    server = server_named(settings, name)
    looked = _look(settings, server)
    for line in looked.notes:
        write_text(line)
    if not looked.candidates:
        write_text(f"{name}: nothing is new; {len(looked.kept):,} of its tools are accepted")
        if looked.is_to_be_kept:
            _keep(settings, server, looked, Answer())
        _write_lines(_unsaid(settings, server))
        return Exit.DONE
    approver = TerminalApprover()
    screen = screen_of_tools(name, looked.candidates, looked.others)
    answer = approver.approve(screen)
    if approver.refusal == NO_TERMINAL:
        write_text(screen.text)
        complain(f"{NO_TERMINAL}, so nothing of {name} was accepted")
        return Exit.REFUSED
    _keep(settings, server, looked, answer)
    count = len(answer.accepted)
    write_text(f"{name}: {count:,} of {len(looked.candidates):,} accepted")
    _write_lines(_unsaid(settings, server))
    return Exit.DONE if count else Exit.REFUSED


def _write_lines(lines: Iterable[str]) -> None:
    """One below the other."""
    for line in lines:
        write_text(line)


def _unsaid(settings: Settings, server: Server) -> Iterator[str]:
    """What to write where the configuration says nothing of an accepted tool, so that not each call of it asks."""
    known = pins_of(settings).of(server.name)
    silent = [] if known is None or server.is_honest else [name for name in known.tools if name not in server.tools]
    if not silent:
        return
    tool = silent[0] if re.fullmatch(r"[A-Za-z0-9_-]+", silent[0]) else json.dumps(silent[0])
    yield (
        f"{server.name}: nothing says what {len(silent):,} of its tools do, so each call of them asks. You can say it in "
        f"{settings.file or default_file()}, for each of them; docs/mcp.md has the rest:"
    )
    yield f"  [mcp.{server.name}.tools.{tool}]"
    yield "  changes = false          # if it changes nothing"
    yield '  receivers = ["server"]   # who learns of a call; [] is nobody'
    yield '  roles = {}               # of parameters: { text = "content" } goes to the receivers, "query" only selects'
    yield f"Or for all of them, if you believe what the server says of itself: honest = true in [mcp.{server.name}]"


def review_first(settings: Settings) -> None:
    """Before a request: servers that nobody looked at are shown, where there is a terminal; else it is said that they have no tools.

    Raises:
        OperatorError: what was accepted cannot be read or written.
    """
    for server in unreviewed(settings) if settings.mcp else ():
        try:
            looked = _look(settings, server)
        except OperatorError as error:
            complain(f"{error}; it has no tools in this request")
            continue
        approver = TerminalApprover()
        answer = approver.approve(screen_of_tools(server.name, looked.candidates, looked.others))
        if approver.refusal == NO_TERMINAL:
            complain(
                f"mcp.{server.name}: nothing of it was accepted yet, so it has no tools; armslength mcp review {server.name} shows them"
            )
            continue
        _keep(settings, server, looked, answer)
    for name, tool in _stopped(settings):
        complain(
            f"mcp.{name}: {tame_line(tool)} declares itself otherwise than you accepted it, so it is not called; "
            f"armslength mcp review {name} shows the difference"
        )


def _stopped(settings: Settings) -> Iterator[tuple[str, str]]:
    pins = pins_of(settings) if settings.mcp else None
    for server in settings.mcp:
        found = None if pins is None else pins.at(server.name, server.identity)
        if found is not None:
            yield from ((server.name, name) for name, pin in found.tools.items() if pin.is_stopped)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What a server declares, beside what was accepted. `kept`: as accepted, also what it does not declare now. `others`: names of tools that are not its."""

    candidates: Sequence[Candidate]
    kept: Sequence[Pin]
    stopped: Sequence[Pin]
    others: frozenset[str]
    notes: Sequence[str]
    is_to_be_kept: bool


def _look(settings: Settings, server: Server) -> _Looked:
    """Ask the server.

    Raises:
        OperatorError: it cannot be asked.
    """
    connection = Connection(server)
    try:
        listed = connection.listed()
    except ToolError as error:
        raise OperatorError(str(error)) from error
    finally:
        connection.close()
    pins = pins_of(settings)
    known, is_same = pins.at(server.name, server.identity), True
    if known is None:
        before = pins.of(server.name)
        known, is_same = before or Accepted(""), before is None
    count = Counter(each.name for each in listed)
    single = [each for each in listed if count[each.name] == 1]
    names = {each.name for each in single}
    # What the planner is told is for the person to change: a server that leaves a tool out, or lists it twice, takes nothing out.
    kept = [pin for name, pin in known.tools.items() if is_same and name not in names]
    candidates, stopped = list[Candidate](), list[Pin]()
    facts = _facts(settings, server, single)
    for each in single:
        pin = known.tools.get(each.name)
        if pin is not None and is_same and not pin.is_stopped and pin.declaration.digest == each.digest:
            kept.append(pin)
            continue
        if pin is not None:
            stopped.append(Pin(pin.declaration, is_stopped=True))
        candidates.append(Candidate(each, None if pin is None else pin.declaration, facts.get(each.name, ())))
    return _Looked(
        candidates,
        kept,
        stopped if is_same else [],
        _others(settings, server),
        [*_notes(server, listed, known), *([] if is_same else [_MOVED.format(server.name)])],
        known.tools != {pin.declaration.name: pin for pin in kept},
    )


def _notes(server: Server, listed: Sequence[Declaration], known: Accepted) -> Iterator[str]:
    names = Counter(each.name for each in listed)
    yield from (
        f"{server.name}: it lists {tame_line(name)} more than once, so it is no tool"
        for name in names
        if names[name] > 1
    )
    yield from (
        f"{server.name}: it does not offer {tame_line(name)} now, so a call of it fails; the planner is still told of it, unless use = false "
        f"in [mcp.{server.name}.tools.{tame_line(name)}]"
        for name in known.tools
        if name not in names
    )


_MOVED = "{}: it is another command or address, or a value of a variable is another, than what you accepted, so all of it is asked about"


def _facts(settings: Settings, server: Server, listed: Sequence[Declaration]) -> dict[str, tuple[str, ...]]:
    """What each would be here, in words of ours."""
    taken = frozenset(each.name for each in local_tools(settings))
    offered = offered_by(server, listed, Connection(server), trust_of(settings.trusted), taken)
    why = {each.tool: (f"no program can call it: {each.why}",) for each in offered.refused}
    made = [each for each in listed if each.name not in why]
    return why | {each.name: tuple(tool_facts(tool)) for each, tool in zip(made, offered.tools, strict=True)}


def _others(settings: Settings, server: Server) -> frozenset[str]:
    """Names of tools that are not its: ours, and those that were accepted of other servers."""
    pins = pins_of(settings)
    found = {each.name for each in local_tools(settings)}
    for other in settings.mcp:
        accepted = pins.of(other.name) if other.name != server.name else None
        found |= set() if accepted is None else {*accepted.tools, *(f"{other.name}_{name}" for name in accepted.tools)}
    return frozenset(found)


def _keep(settings: Settings, server: Server, looked: _Looked, answer: Answer) -> None:
    """What was accepted is a tool; what was asked about and not accepted is none, and stays stopped if it was one."""
    accepted = [Pin(each.declaration) for each in looked.candidates if digest_of(server.name, each) in answer.accepted]
    names = {pin.declaration.name for pin in accepted}
    stopped = [pin for pin in looked.stopped if pin.declaration.name not in names]
    pins_of(settings).accept(server.name, server.identity, [*looked.kept, *accepted, *stopped])


def import_servers(file: Path) -> Exit:
    """Print the servers of a file `mcpServers` as tables of our configuration. No value of an environment is printed.

    Raises:
        ConfigError: the file is not understood, or TOML has no form for what it says.
    """
    servers, values = servers_of_file(file), dict[str, str]()
    tables = {name: _table(server, values) for name, server in servers.items()}
    write_text(toml_of({"mcp": tables}, values).strip("\n") if tables else "# the file names no server")
    return Exit.DONE


def _table(server: Server, values: dict[str, str]) -> dict[str, Any]:
    """Its table. `values` gets a comment on each value that stands in the file, by what is called so."""
    found: dict[str, Any]
    match server.place:
        case Child(command, arguments, _, given, folder):
            found = {"command": command}
            found |= {"arguments": list(arguments)} if arguments else {}
            found |= {"folder": str(folder)} if folder is not None else {}
            where = f"mcp.{server.name}.secrets"
            secrets = {name: _variable(value, name, f"{where}.{name}", values) for name, value in given.items()}
            return found | ({"secrets": secrets} if secrets else {})
        case Remote(url, token):
            found = {"url": url}
            if token is not None:
                named = f"{server.name.upper()}_TOKEN"
                found["token"] = _variable(token, named, f"mcp.{server.name}.token", values)
            return found


def _variable(value: Secret, otherwise: str, called: str, values: dict[str, str]) -> dict[str, str]:
    """The place of a secret: the variable that the file names, else one to be set."""
    variable = value.variable if isinstance(value, Written) else None
    if variable is None:
        values[called] = "its value stands in the file"
    return {"environment": variable or otherwise}
