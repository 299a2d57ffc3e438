"""`tools` and `config`: what is configured, in the words of the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from armslength.agent.showing.cleaning import clean_line
from armslength.app import Settings, default_file, load_settings, tools_of
from armslength.app.dav import DavChoice
from armslength.app.model_choice import ModelChoice
from armslength.app.policies import rules_of
from armslength.schema import Parameter, Signature, describe
from armslength.surfaces.example import EXAMPLE
from armslength.surfaces.exits import Exit
from armslength.surfaces.flaws import flaw_lines
from armslength.surfaces.output import complain, tame_line, write_json, write_text
from armslength.surfaces.web_places import web_json, web_rows
from armslength.tools.base import Tool, anybody, nobody
from armslength.tools.mail.settings import ImapServer, MailSettings, Submission
from armslength.tools.text.addresses import without_query


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


def show_config(config: Path | None, *, is_json: bool) -> Exit:
    """Where the configuration is, what it says as it was understood, and whether the places are there.

    Raises:
        ConfigError: it cannot be used as it stands.
    """
    settings = load_settings(config)
    facts = _config_json(settings)
    if is_json:
        write_json(facts | {"cannot_be_read": flaw_lines(settings) if _is_there(settings.calendar) else []})
        return Exit.DONE
    write_text("\n".join(_config_lines(facts)))
    rules_of(settings, tools_of(settings))
    for line in flaw_lines(settings):
        complain(line)
    return Exit.DONE


def show_example() -> Exit:
    """A whole configuration with comments."""
    print(EXAMPLE, end="")
    return Exit.DONE


def _config_json(settings: Settings) -> dict[str, Any]:
    return {
        "file": str(settings.file or default_file()),
        "is_there": settings.file is not None,
        "state": str(settings.state),
        "runs": {
            "database": _runs_place(settings),
            "encrypt": settings.keeping.is_encrypted,
            "key_file": _path(settings.keeping.key_file),
            "keyring": settings.keeping.keyring,
            "keep_hours": None if settings.keeping.age is None else int(settings.keeping.age.total_seconds()) // 3600,
        },
        "user": {"name": settings.user_name, "addresses": list(settings.addresses)},
        "mail": [_account_json(mail) for mail in settings.accounts],
        "files": _path(settings.files),
        "calendar": _path(settings.calendar),
        "contacts": _path(settings.contacts),
        "calendars": [_server_json(each) for each in settings.calendars],
        "address_books": [_server_json(each) for each in settings.address_books],
        "standin": _path(settings.standin),
        "web": None if settings.web is None else web_json(settings.web),
        "mcp": [each.name for each in settings.mcp],
        "models": {
            "planner": choice_json(settings.planner),
            "quarantined": choice_json(settings.quarantined),
            **({} if settings.confined is None else {"confined": choice_json(settings.confined)}),
        },
        "has_memory": settings.has_memory,
        "is_model_named": settings.is_model_named,
        "trusted": sorted(settings.trusted),
        "this_machine_only": list(settings.this_machine_only),
        "policy": _path(settings.policy),
        "groups": {group.name: list(group.members) for group in settings.groups},
        "lasting_grants": settings.lasting_grants,
        "may_learn": [{"who": list(each.who), "what": list(each.what)} for each in settings.may_learn],
        "spans": settings.spans,
        "documents": _documents_json(settings),
    }


def _documents_json(settings: Settings) -> dict[str, Any]:
    """What confines the process that reads documents, as far as this machine has it."""
    from armslength.tools.documents.reading import sandbox_line

    confined = settings.documents
    return {
        "without_sandbox": confined.without,
        "megabytes": confined.memory // (1024 * 1024),
        "seconds": confined.seconds,
        "sandbox": sandbox_line(confined),
    }


def _account_json(mail: MailSettings) -> dict[str, Any]:
    return {
        "account": mail.account,
        "addresses": list(mail.addresses),
        "path": None if mail.server is not None else str(mail.path),
        "server": None if mail.server is None else _imap_json(mail.server),
        "authserv_id": mail.authserv_id,
        "check_signatures": mail.checks_signatures,
        "resolver": mail.resolver or None,
        "smtp": None if mail.submission is None else _smtp_json(mail.submission),
        "outbox": mail.outbox,
        "drafts": mail.drafts,
        "trash": mail.trash,
        "sent": mail.sent,
        "held": mail.held,
        "hold": None if mail.hold is None else mail.hold.total_seconds(),
        "folders_path": _path(mail.folders_path),
    }


def _server_json(choice: DavChoice) -> dict[str, Any]:
    """A calendar or an address book on a server. Its password stands in no file."""
    server = choice.server
    return {
        "name": choice.name,
        "url": server.url,
        "user": server.user,
        "password": None if choice.password is None else str(choice.password),
        "collection": server.collection,
        "tls": server.tls,
        "certificates": _path(server.certificates),
        "addresses": list(choice.addresses),
        "shared_with": list(choice.shared_with),
        "writes": choice.writes,
    }


def _imap_json(server: ImapServer) -> dict[str, Any]:
    """A mailbox on a server, without its password."""
    return {
        "host": server.host,
        "port": server.port,
        "tls": server.tls,
        "user": server.user,
        "login": server.login,
        "authorities": _path(server.authorities),
    }


def _smtp_json(way: Submission) -> dict[str, Any]:
    """By what server mail leaves, without its password."""
    return {
        "host": way.host,
        "port": way.port,
        "tls": way.tls,
        "user": way.user or None,
        "login": way.login if way.user else None,
        "authorities": _path(way.authorities),
        "keep_copy": way.keeps_copy,
    }


def _runs_place(settings: Settings) -> str:
    """A URL has no password; its options may name files, and are left out."""
    return str(settings.database) if settings.server is None else settings.server.url.partition("?")[0]


def choice_json(choice: ModelChoice) -> dict[str, Any]:
    """A model as it is configured. Keys stand in no file, so none can be here."""
    return {
        "provider": choice.provider,
        "model": choice.model,
        "base_url": without_query(choice.base_url),
        "key": None if choice.key is None else str(choice.key),
        "window": choice.window,
        "is_local": choice.is_local,
        "is_small": choice.is_small,
        "timeout": choice.timeout,
        "threads": choice.threads,
        "at_once": choice.at_once,
    }


def _is_there(path: Path | None) -> bool:
    return path is not None and path.exists()


def _path(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _config_lines(facts: dict[str, Any]) -> list[str]:
    absent = "" if facts["is_there"] else " (not there: all is default; armslength init makes one)"
    user = facts["user"]
    rows = [
        ("file", facts["file"] + absent),
        ("state", facts["state"]),
        ("memory", "remember and recall" if facts["has_memory"] else "none"),
        ("runs", _runs_line(facts["runs"])),
        ("you", ", ".join([user["name"], *user["addresses"]] if user["name"] else user["addresses"]) or None),
        *([] if facts["mail"] else [("mail", None)]),
        *(row for mail in facts["mail"] for row in _account_rows(mail)),
        *((name, facts[name]) for name in ("files", "calendar")),
        *(("calendar", _server_line(each)) for each in facts["calendars"]),
        ("contacts", facts["contacts"]),
        *(("contacts", _server_line(each)) for each in facts["address_books"]),
        ("standin", facts["standin"]),
        *web_rows(facts["web"]),
        ("mcp servers", ", ".join(facts["mcp"]) or None),
        ("documents", facts["documents"]["sandbox"]),
        *((role, _choice_line(choice)) for role, choice in facts["models"].items()),
        ("trusted", _listed(facts["trusted"], "no source beside you")),
        ("your rules", facts["policy"]),
        *(("  group", f"{name}: {_listed(members, 'nobody')}") for name, members in facts["groups"].items()),
        *(
            ("  may learn", f"{_listed(each['who'], 'nobody')}: {_listed(each['what'], 'nothing')}")
            for each in facts["may_learn"]
        ),
        ("spans", facts["spans"]),
        ("grants", "may hold longer than their run" if facts["lasting_grants"] else "hold for their run at most"),
        ("stays here", _listed(facts["this_machine_only"], "nothing is kept from the configured models")),
    ]
    return [f"{name:12} {'-' if value is None else clean_line(value)}" for name, value in rows]


def _account_rows(mail: dict[str, Any]) -> list[tuple[str, str]]:
    """Where an account is, whose it is if it is one of several, who vouches for senders, and by what its mail leaves."""
    whose = (
        f"{mail['account']}, {mail['addresses'][0] if mail['addresses'] else 'no address'}: " if mail["account"] else ""
    )
    named = [f"the results of {mail['authserv_id']}"] if mail["authserv_id"] else []
    signed = ["signatures, checked here"] if mail["check_signatures"] else []
    vouches = ", else ".join(named + signed) or "nobody: every sender is unverified"
    way = mail["smtp"]
    leaves = f"the folder {mail['outbox']}" if way is None else f"{way['host']}:{way['port']}"
    server = mail["server"]
    place = mail["path"] if server is None else f"{server['user']} on {server['host']}"
    return [("mail", f"{whose}{place}"), ("  vouching", vouches), ("  leaves by", leaves)]


def _server_line(server: dict[str, Any]) -> str:
    """Where it is, and whose."""
    which = ", ".join(filter(None, (server["user"], server["collection"])))
    called = f"{server['name']}: " if server["name"] else ""
    return f"{called}{server['url']}" + (f" ({which})" if which else "")


def _runs_line(runs: dict[str, Any]) -> str:
    key = runs["key_file"] or "the keyring"
    encrypted = f"encrypted with the key in {key}" if runs["encrypt"] else "not encrypted"
    kept = "kept until purged" if runs["keep_hours"] is None else f"kept for {runs['keep_hours']:,} hours"
    return f"{runs['database']}, {encrypted}, {kept}"


def _choice_line(choice: dict[str, Any]) -> str:
    if choice["provider"] == "embedded":
        return "the embedded model"
    where = choice["base_url"] or "the provider's usual address"
    return f"{choice['model'] or '(no model named)'} by {choice['provider']} at {where}"


def _listed(names: Sequence[str], none: str) -> str:
    return ", ".join(names) or none
