"""The settings in force, in the form of the file: each under its name there, also where the file says nothing and a default holds.

Read back by `settings_in` it gives the same settings, apart from what is left out on purpose: a secret stands here as the place where it is, and
of an address neither what is behind its `?` nor the path of a web hook, for some services want a key there. None is what is not set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from armslength.app.dav import DavChoice
from armslength.app.durations import written_duration
from armslength.app.mail_server import provider_name
from armslength.app.mcp import Written
from armslength.app.model_choice import ModelChoice
from armslength.app.secrets import SecretPlace
from armslength.app.settings import Settings
from armslength.app.tasks import DAYS, Task
from armslength.policy.settings import Clearance, Group
from armslength.tools.mail.settings import ImapServer, MailSettings, Submission
from armslength.tools.mcp.settings import Child, Server, ToolChoices
from armslength.tools.text.addresses import without_query
from armslength.tools.web.tools import WebSettings

if TYPE_CHECKING:
    from armslength.tools.mail.oauth import Provider

_MEGABYTE = 1_000_000


def in_force(settings: Settings) -> dict[str, Any]:
    """Tables by their names, as JSON has them: texts, numbers, true and false, lists, objects and null."""
    return {
        "state": str(settings.state),
        "runs": _runs(settings),
        "memory": {"keep": settings.has_memory},
        "user": {"name": settings.user_name, "addresses": list(settings.addresses)},
        "mail": _named((each.account, _account(each)) for each in settings.accounts) | _hold(settings),
        "files": {"path": _path(settings.files)},
        "calendar": {"path": _path(settings.calendar)}
        | _named((each.name, _calendar(each)) for each in settings.calendars),
        "contacts": {"path": _path(settings.contacts)}
        | _named((each.name, _served(each)) for each in settings.address_books),
        "standin": {"path": _path(settings.standin)},
        "web": {"fetch": False} if settings.web is None else _web(settings.web),
        "mcp": {each.name: _server(each) for each in settings.mcp},
        "documents": {
            "without_sandbox": settings.documents.without,
            "megabytes": settings.documents.memory // _MEGABYTE,
            "timeout": settings.documents.seconds,
        },
        "models": {
            "planner": model_in_force(settings.planner),
            "quarantined": model_in_force(settings.quarantined),
            "confined": None if settings.confined is None else model_in_force(settings.confined),
        },
        **_by_itself(settings),
        "conversation": {"bits": settings.conversation_bits},
        "page": {"port": settings.page_port, "wait_minutes": settings.page_minutes},
        **_trusting(settings),
    }


def model_in_force(choice: ModelChoice) -> dict[str, Any]:
    """The table of a model."""
    return {
        "provider": choice.provider,
        "model": choice.model,
        "base_url": without_query(choice.base_url),
        "key": _secret(choice.key),
        "window": choice.window,
        "is_local": choice.is_local,
        "is_small": choice.is_small,
        "timeout": int(choice.timeout),
        "threads": choice.threads,
        "at_once": choice.at_once,
        "price_in": choice.price.prompt,
        "price_out": choice.price.completion,
    }


def _runs(settings: Settings) -> dict[str, Any]:
    """A URL has no password; its options may name files, and are left out."""
    server, keeping = settings.server, settings.keeping
    return {
        "database": str(settings.database) if server is None else server.url.partition("?")[0],
        "password": None if server is None else _secret(server.password),
        "folder": None if server is None else str(settings.server_folder),
        "encrypt": keeping.is_encrypted,
        "key_file": _path(keeping.key_file),
        "keyring": keeping.keyring,
        "keep": _time(keeping.age),
    }


def _by_itself(settings: Settings) -> dict[str, Any]:
    """What begins without a word of the person, how she hears of it, and what models may cost."""
    return {
        "schedule": {each.name: _task(each) for each in settings.tasks},
        "notify": {
            "command": list(settings.notify.command),
            "webhook": _without_path(settings.notify.webhook),
            "token": _secret(settings.notify.token),
        },
        "spending": {
            "currency": settings.caps.currency,
            "run_cost": settings.caps.run_cost,
            "day_cost": settings.caps.day_cost,
            "run_tokens": settings.caps.run_tokens,
            "day_tokens": settings.caps.day_tokens,
        },
    }


def _trusting(settings: Settings) -> dict[str, Any]:
    """Whose words count, who may learn what, and what may be said yes to."""
    return {
        "trust": {"sources": sorted(settings.trusted)},
        "privacy": {
            "this_machine_only": list(settings.this_machine_only),
            "steering_bits": settings.steering_bits,
            "may_learn": {_who(each, settings.groups): list(each.what) for each in settings.may_learn},
        },
        "groups": {each.name: list(each.members) for each in settings.groups},
        "policy": {"file": _path(settings.policy), "rewrites": settings.rewrites},
        "approvals": {"lasting_grants": settings.lasting_grants},
        "tracing": {"spans": settings.spans},
    }


def _who(clearance: Clearance, groups: Iterable[Group]) -> str:
    return next(
        (each.name for each in groups if each.members == clearance.who), clearance.who[0] if clearance.who else ""
    )


# Mail, calendars and address books


def _named(tables: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """One that has no name stands in the table itself, others in a table of their name."""
    found: dict[str, Any] = {}
    for name, table in tables:
        found |= {name: table} if name else table
    return found


def _hold(settings: Settings) -> dict[str, Any]:
    """For all accounts."""
    return {"hold": _time(settings.accounts[0].hold)} if settings.accounts else {}


def _account(mail: MailSettings) -> dict[str, Any]:
    return {
        **({"addresses": list(mail.addresses), "name": mail.name} if mail.account else {}),
        "path": None if mail.server is not None else str(mail.path),
        "folders_path": _path(mail.folders_path),
        "authserv_id": mail.authserv_id,
        "check_signatures": mail.checks_signatures,
        "resolver": mail.resolver,
        "outbox": mail.outbox,
        "drafts": mail.drafts,
        "trash": mail.trash,
        "sent": mail.sent,
        "held": mail.held,
        "imap": None if mail.server is None else _imap(mail.server),
        "smtp": None if mail.submission is None else _smtp(mail.submission),
        "oauth": None if mail.tokens is None else _oauth(mail.tokens.provider),
    }


def _imap(server: ImapServer) -> dict[str, Any]:
    return {
        "host": server.host,
        "port": server.port,
        "tls": server.tls,
        "user": server.user,
        "password" if server.login == "password" else "token": _secret(server.secret),
        "authorities": _path(server.authorities),
    }


def _smtp(way: Submission) -> dict[str, Any]:
    return {
        "host": way.host,
        "port": way.port,
        "tls": way.tls,
        "user": way.user,
        "password" if way.login == "password" else "token": _secret(way.secret),
        "authorities": _path(way.authorities),
        "keep_copy": way.keeps_copy,
    }


def _oauth(provider: Provider) -> dict[str, Any]:
    return {
        "provider": provider_name(provider),
        "client_id": provider.client_id,
        "client_secret": _secret(provider.client_secret),
        "device_url": provider.device_url,
        "token_url": provider.token_url,
        "scope": provider.scope,
        "authorities": _path(provider.authorities),
    }


def _calendar(choice: DavChoice) -> dict[str, Any]:
    return _served(choice) | {
        "addresses": list(choice.addresses),
        "shared_with": list(choice.shared_with),
        "writes": choice.writes,
    }


def _served(choice: DavChoice) -> dict[str, Any]:
    server = choice.server
    return {
        "url": without_query(server.url),
        "user": server.user,
        "password" if server.user else "token": _secret(choice.secret),
        "collection": server.collection,
        "tls": server.tls,
        "authorities": _path(server.authorities),
        "timeout": int(server.seconds),
    }


# The web and servers of MCP


def _web(web: WebSettings) -> dict[str, Any]:
    search, reach = web.search, web.reach
    return {
        "fetch": web.fetches,
        "local": sorted(reach.local),
        "authorities": _path(reach.authorities),
        "ports": sorted(reach.ports),
        "megabytes": reach.most_bytes // _MEGABYTE,
        "timeout": int(reach.seconds),
        "services": {
            each.host: {
                "tells": list(each.tells),
                "shared": each.is_shared,
                "own": list(each.own),
                "passes_on": each.passes_on,
                "account": each.account,
            }
            for each in web.services
        },
        "search": None
        if search is None
        else {
            "kind": search.kind,
            "url": without_query(search.url),
            "tells": list(search.tells),
            "key": _secret(search.key),
            "account": search.account,
        },
    }


def _server(server: Server) -> dict[str, Any]:
    return {
        **_place(server),
        "honest": server.is_honest,
        "start_timeout": int(server.start_seconds),
        "timeout": int(server.call_seconds),
        "tools": {name: _choices(each) for name, each in server.tools.items()},
    }


def _place(server: Server) -> dict[str, Any]:
    match server.place:
        case Child(command, _, passed, given, folder) as program:
            return {
                "command": command,
                "arguments": list(program.shown),
                "environment": list(passed),
                "secrets": {name: _secret(each) for name, each in given.items()},
                "folder": _path(folder),
            }
        case remote:
            token, authorities = _secret(remote.token), _path(remote.authorities)
            return {"url": without_query(remote.url), "token": token, "authorities": authorities}


def _choices(tool: ToolChoices) -> dict[str, Any]:
    return {
        "use": not tool.is_left_out,
        "result": not tool.is_silent,
        "description": tool.description,
        "roles": {name: role.value for name, role in tool.roles.items()},
        "reads": tool.reads,
        "changes": tool.changes,
        "receivers": _list(tool.receivers),
        "repeatable": tool.is_repeatable,
        "may_be_granted": tool.may_be_granted,
        "picks": tool.picks,
        "known": list(tool.known),
        "public": _list(tool.public),
        "readers": _list(tool.readers),
    }


def _task(task: Task) -> dict[str, Any]:
    return {
        "request": task.request,
        "at": None if task.at is None else f"{task.at:%H:%M}",
        "days": [DAYS[day] for day in sorted(task.days)],
        "every": _time(task.every),
        "on_mail": task.on_mail,
    }


# What stands in them


def _secret(secret: Callable[[], str] | None) -> dict[str, Any] | str | None:
    """Where it is. Of a command its program alone: a further word may be the secret."""
    match secret:
        case SecretPlace("command", (program, *further)):
            return {"command": [program, *(["…"] if further else [])]}
        case SecretPlace(kind, (name,)):
            return {kind: name}
        case Written():
            return "in mcp.servers_file"
        case _:
            return None  # none, or the token of an account that `oauth` describes


def _time(duration: timedelta | None) -> str | None:
    return None if duration is None else written_duration(duration)


def _without_path(url: str) -> str:
    if not url:
        return ""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/…"


def _path(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _list(found: tuple[str, ...] | None) -> list[str] | None:
    return None if found is None else list(found)
