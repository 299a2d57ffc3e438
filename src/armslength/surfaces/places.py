"""`tools`: each tool as it is declared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from armslength.app import load_settings, tools_of
from armslength.schema import Parameter, Signature, describe
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import tame_line, write_json, write_text
from armslength.tools.base import Tool, anybody, nobody


def show_tools(config: Path | None, *, is_json: bool) -> Exit:
    """Each tool with its signature and what it declares.

    Raises:
        ConfigError: a place is not there.
    """
    tools = tools_of(load_settings(config))
    if is_json:
        write_json({"tools": [_tool_json(tool) for tool in tools]})
    else:
        write_text("\n\n".join(_tool_lines(tool) for tool in tools))
    return Exit.DONE


def written_signature(signature: Signature) -> str:
    """The signature as a program sees it."""
    parameters = ", ".join(_written_parameter(parameter) for parameter in signature.parameters)
    return f"{signature.name}({parameters}) -> {describe(signature.returns)}"


def _written_parameter(parameter: Parameter) -> str:
    default: object = [] if parameter.default == () else parameter.default
    return f"{parameter.name}: {describe(parameter.type)}" + (f" = {default!r}" if parameter.has_default else "")


def _tool_lines(tool: Tool) -> str:
    signature, *facts = tool_facts(tool)
    return "\n".join([signature, *(f"    {line}" for line in facts)])


def tool_facts(tool: Tool) -> list[str]:
    """Its signature, what the planner is told of it, and what it declares: a line each."""
    facts = _tool_json(tool)
    roles = ", ".join(f"{name} ({role})" for name, role in facts["roles"].items()) or "none"
    undo = ("; can be undone" if facts["can_be_undone"] else "; cannot be undone") if tool.changes else ""
    return [
        facts["signature"],
        tame_line(tool.signature.doc),
        f"reads {facts['reads'] or 'no store'}; changes {facts['changes'] or 'nothing'}{undo}",
        f"receivers: {facts['receivers']}; parameters: {roles}",
    ]


def _tool_json(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "signature": written_signature(tool.signature),
        "doc": tool.signature.doc,
        "reads": tool.reads,
        "changes": tool.changes,
        "can_be_undone": tool.undo is not None,
        "receivers": _receivers(tool),
        "roles": {name: role.value for name, role in tool.roles.items()},
    }


def _receivers(tool: Tool) -> str:
    if tool.receivers is nobody:
        return "nobody"
    return "unknown" if tool.receivers is anybody else "named by each call"
