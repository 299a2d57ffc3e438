"""`config`: where the configuration is, what follows from it, and every setting in force."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from armslength.agent.showing.cleaning import clean_line
from armslength.app import Settings, default_file, load_settings, tools_of
from armslength.app.dav import DavChoice
from armslength.app.in_force import in_force
from armslength.app.model_choice import ModelChoice
from armslength.app.policies import rules_of
from armslength.policy.patterns import fits, may_fit
from armslength.surfaces.example import EXAMPLE
from armslength.surfaces.exits import Exit
from armslength.surfaces.flaws import flaw_lines
from armslength.surfaces.output import complain, write_json, write_text
from armslength.tools.documents.reading import sandbox_line
from armslength.tools.mail.settings import MailSettings
from armslength.tools.text.addresses import without_query
from armslength.tools.web.tools import WebSettings


def show_config(config: Path | None, *, is_json: bool) -> Exit:
    """Where the configuration is, what it says as it was understood, and whether the places are there.

    Raises:
        ConfigError: it cannot be used as it stands.
    """
    settings = load_settings(config)
    found = in_force(settings)
    if is_json:
        has_calendar = settings.calendar is not None and settings.calendar.exists()
        write_json(
            _facts(settings) | {"settings": found, "cannot_be_read": flaw_lines(settings) if has_calendar else []}
        )
        return Exit.DONE
    write_text("\n".join([*summary(settings), "", "in force, by the names of the file:", *setting_lines(found)]))
    rules_of(settings, tools_of(settings))
    for line in flaw_lines(settings):
        complain(line)
    return Exit.DONE


def show_example() -> Exit:
    """A whole configuration with comments."""
    print(EXAMPLE, end="")
    return Exit.DONE


def _facts(settings: Settings) -> dict[str, Any]:
    return {
        "file": str(settings.file or default_file()),
        "is_there": settings.file is not None,
        "is_model_named": settings.is_model_named,
        "sandbox": sandbox_line(settings.documents),
    }


def setting_lines(tables: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Each setting on a line, cleaned: its whole name, and what holds; `-` where nothing does."""
    for name, found in tables.items():
        if isinstance(found, Mapping):
            yield from setting_lines(found, f"{above}{name}.")
        else:
            said = "-" if found is None else json.dumps(found, ensure_ascii=False)
            yield clean_line(f"  {above}{name} = {said}")


def summary(settings: Settings) -> list[str]:
    """Where things are and what follows from the settings, a line each, cleaned."""
    facts = _facts(settings)
    absent = "" if facts["is_there"] else " (not there: all is default; armslength init makes one)"
    rows = [
        ("file", facts["file"] + absent),
        ("state", str(settings.state)),
        ("memory", "remember and recall" if settings.has_memory else "none"),
        ("runs", _runs_line(settings)),
        ("you", ", ".join(filter(None, (settings.user_name, *settings.addresses))) or None),
        *([] if settings.accounts else [("mail", None)]),
        *(row for mail in settings.accounts for row in _account_rows(mail)),
        ("files", settings.files),
        ("calendar", settings.calendar),
        *(("calendar", _served_line(each)) for each in settings.calendars),
        ("contacts", settings.contacts),
        *(("contacts", _served_line(each)) for each in settings.address_books),
        ("standin", settings.standin),
        *_web_rows(settings.web),
        ("mcp servers", ", ".join(each.name for each in settings.mcp) or None),
        ("documents", facts["sandbox"]),
        ("planner", _model_line(settings.planner)),
        ("quarantined", _model_line(settings.quarantined)),
        *([] if settings.confined is None else [("confined", _model_line(settings.confined))]),
        *(("begins", f"{each.name}, {each.when}") for each in settings.tasks),
        *_trust_rows(settings),
    ]
    return [f"{name:12} {'-' if value is None else clean_line(str(value))}" for name, value in rows]


def _trust_rows(settings: Settings) -> list[tuple[str, Any]]:
    return [
        ("trusted", _listed(sorted(settings.trusted), "no source beside you")),
        ("your rules", settings.policy),
        *(("  group", f"{each.name}: {_listed(each.members, 'nobody')}") for each in settings.groups),
        *(
            ("  may learn", f"{_listed(each.who, 'nobody')}: {_listed(each.what, 'nothing')}")
            for each in settings.may_learn
        ),
        ("spans", settings.spans),
        ("grants", "may hold longer than their run" if settings.lasting_grants else "hold for their run at most"),
        ("stays here", kept_line(settings.this_machine_only) or "nothing is kept from the configured models"),
    ]


def kept_line(patterns: Sequence[str]) -> str:
    """What stays on this machine, in words, and which mail that is where nobody vouches for its sender. Empty if nothing does."""
    is_some_mail = any(may_fit("mail:*", each) and not fits("mail:*", each) for each in patterns)
    said = "mail that nobody vouches for counts as From and Reply-To say, and stays here where From names nobody"
    return "; ".join([", ".join(patterns), *([said] if is_some_mail else [])])


def _account_rows(mail: MailSettings) -> list[tuple[str, Any]]:
    """Where an account is, whose it is if it is one of several, who vouches for senders, and by what its mail leaves."""
    whose = f"{mail.account}, {mail.addresses[0] if mail.addresses else 'no address'}: " if mail.account else ""
    named = [f"the results of {mail.authserv_id}"] if mail.authserv_id else []
    signed = ["signatures, checked here"] if mail.checks_signatures else []
    vouches = ", else ".join(named + signed) or "nobody: every sender is unverified"
    way, server = mail.submission, mail.server
    leaves = f"the folder {mail.outbox}" if way is None else f"{way.host}:{way.port}"
    place = mail.path if server is None else f"{server.user} on {server.host}"
    return [("mail", f"{whose}{place}"), ("  vouching", vouches), ("  leaves by", leaves)]


def _served_line(choice: DavChoice) -> str:
    """Where it is, and whose."""
    which = ", ".join(filter(None, (choice.server.user, choice.server.collection)))
    called = f"{choice.name}: " if choice.name else ""
    return f"{called}{without_query(choice.server.url)}" + (f" ({which})" if which else "")


def _web_rows(web: WebSettings | None) -> list[tuple[str, Any]]:
    """Whether pages are fetched, also of the person's own network, and whom a search tells."""
    if web is None:
        return [("web", None)]
    local = _listed(sorted(web.reach.local), "no host of your own network")
    rows: list[tuple[str, Any]] = [("web", f"pages are fetched; {local}" if web.fetches else "no page is fetched")]
    if web.search is not None:
        rows.append(("  search", f"{without_query(web.search.url)}, which tells {_listed(web.search.tells, 'nobody')}"))
    return rows


def _runs_line(settings: Settings) -> str:
    """A URL has no password; its options may name files, and are left out."""
    keeping = settings.keeping
    place = settings.database if settings.server is None else settings.server.url.partition("?")[0]
    encrypted = (
        f"encrypted with the key in {keeping.key_file or 'the keyring'}" if keeping.is_encrypted else "not encrypted"
    )
    hours = None if keeping.age is None else int(keeping.age.total_seconds()) // 3600
    return f"{place}, {encrypted}, {'kept until purged' if hours is None else f'kept for {hours:,} hours'}"


def _model_line(choice: ModelChoice) -> str:
    if choice.provider == "embedded":
        return "the embedded model"
    where = without_query(choice.base_url) or "the provider's usual address"
    return f"{choice.model or '(no model named)'} by {choice.provider} at {where}"


def _listed(names: Sequence[str], none: str) -> str:
    return ", ".join(names) or none
