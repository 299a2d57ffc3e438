"""From configuration to tools, models and trust."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from armslength.agent.runs.rewriting import Rewrites
from armslength.agent.runs.trust import trust_of
from armslength.app.accepted import mcp_tools
from armslength.app.caps import Price
from armslength.app.dav import books_of, calendars_of
from armslength.app.model_choice import ModelChoice
from armslength.app.settings import Settings
from armslength.app.spending import Spending
from armslength.errors import ConfigError
from armslength.hosts import is_here
from armslength.models.base import Model
from armslength.models.wire import Endpoint
from armslength.policy.engine import PolicySettings
from armslength.store.chain import key_in
from armslength.store.document import Document
from armslength.tools.base import Tool
from armslength.tools.calendar.tools import calendar_tools
from armslength.tools.clock import clock_tools
from armslength.tools.contacts.tools import contacts_tools
from armslength.tools.files import file_tools
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_room
from armslength.tools.memory import Memory, tools_over
from armslength.tools.standin import standin_tools
from armslength.tools.web.tools import web_tools

_OPENAI = "https://api.openai.com/v1"
_ANTHROPIC = "https://api.anthropic.com"


def tools_of(settings: Settings) -> list[Tool]:
    """The tools for every place that is configured, and those that were accepted of servers.

    Raises:
        OperatorError: a place is not there or lies in another, mail has no address of the user's, or what was accepted cannot be read.
    """
    ours = local_tools(settings)
    return ours + mcp_tools(settings, trust_of(settings.trusted), ours)


def local_tools(settings: Settings) -> list[Tool]:
    """The tools of our own for every place that is configured.

    Raises:
        ConfigError: a place is not there or lies in another, or mail has no address of the user's.
    """
    _check_places(settings)
    _check_apart(settings)
    trust = trust_of(settings.trusted)
    state = settings.state
    tools: list[Tool] = []
    invitations = None
    if settings.accounts:
        first, *others = (_told(mail, settings) for mail in settings.accounts)
        room = mail_room(first, trust, state, *others, confinement=settings.documents)
        tools, invitations = [*room.tools], room.invitations
    if settings.files is not None:
        tools += file_tools(settings.files, trust, state, settings.documents)
    if settings.calendar is not None:
        tools += calendar_tools(settings.calendar, trust, state)
    tools += calendars_of(settings.calendars, trust, state, invitations, is_confined=bool(settings.this_machine_only))
    if settings.contacts is not None or settings.address_books:
        tools += contacts_tools(settings.contacts, trust, state, *books_of(settings.address_books, state))
    if settings.standin is not None:
        tools += standin_tools(settings.standin, trust, state)
    if settings.web is not None:
        tools += web_tools(replace(settings.web, confinement=settings.documents), trust)
    if settings.has_memory:
        tools += tools_over(memory_of(settings))
    return tools + clock_tools()


def memory_of(settings: Settings) -> Memory:
    """What is remembered; nothing is made before it is written."""
    key = key_in(settings.state / "memory.key")
    return Memory(
        Document(settings.state / "memory.kept", "the memory", key, settings.contents), trust_of(settings.trusted)
    )


def _check_places(settings: Settings) -> None:
    """A typo in a path is no empty folder."""
    places: dict[str, Path | None] = {
        **{f"{_called(mail)}.path": mail.path for mail in settings.accounts if mail.server is None},
        "files.path": settings.files,
        "calendar.path": settings.calendar,
        "contacts.path": settings.contacts,
        "standin.path": settings.standin,
    }
    if settings.standin is not None and settings.web is not None and settings.web.fetches:
        raise ConfigError(f"{settings.file}: standin and web.fetch both give pages of the web; leave one of them out")
    missing = [f"{name}: there is no {path}" for name, path in places.items() if path is not None and not path.exists()]
    if missing:
        raise ConfigError(f"{settings.file or 'settings'}: {'; '.join(missing)}; correct it, or make it")
    if not all(mail.addresses for mail in settings.accounts):
        raise ConfigError(
            f"{settings.file}: user.addresses must name your own address, the first is the one that writes"
        )


def _told(mail: MailSettings, settings: Settings) -> MailSettings:
    """Where some data stays on this machine, what is written to a server elsewhere counts as told to somebody."""
    server = mail.server
    if server is None or not settings.this_machine_only or is_here(server.host):
        return mail
    return replace(mail, server=replace(server, is_told=True))


def _called(mail: MailSettings) -> str:
    """The table of an account."""
    return f"mail.{mail.account}" if mail.account else "mail"


_OURS = {"state", "runs.database", "runs.folder", "runs.key_file", "this configuration", "policy.file"}
"""No tool writes into these."""


def _check_apart(settings: Settings) -> None:
    """What is written through one place would be read through the other, without its label."""
    named: dict[str, Path | None] = {
        **{f"{_called(mail)}.path": mail.path for mail in settings.accounts if mail.server is None},
        **{f"{_called(mail)}.folders_path": mail.folders_path for mail in settings.accounts},
        "files.path": settings.files,
        "calendar.path": settings.calendar,
        "contacts.path": settings.contacts,
        "standin.path": settings.standin,
        "state": settings.state,
        "runs.database": settings.own_database,
        "runs.key_file": settings.keeping.key_file,
        "runs.folder": settings.runs_folder,
        "this configuration": settings.file,
        "policy.file": settings.policy,
    }
    places = [(name, path.expanduser().resolve()) for name, path in named.items() if path is not None]
    within = [
        f"{one} and {other}"
        for (one, its_path), (other, others_path) in combinations(places, 2)
        if not {one, other} <= _OURS and (_is_within(its_path, others_path) or _is_within(others_path, its_path))
    ]
    if within:
        raise ConfigError(
            f"{settings.file or 'settings'}: {'; '.join(within)}: one lies in the other; give each a place of its own"
        )


def _is_within(inner: Path, outer: Path) -> bool:
    """Also by another spelling of `outer`, where it is there."""
    if not outer.exists():
        return inner.is_relative_to(outer)
    return any(each.exists() and each.samefile(outer) for each in (inner, *inner.parents))


def policy_of(settings: Settings, planner: Model, *, is_strict: bool) -> PolicySettings:
    """The policy's settings; a small planner's programs are asked about before they send."""
    return _policy_settings(settings, is_small=planner.processor.is_small, is_strict=is_strict)


def rewrites_of(settings: Settings, planner: Model) -> Rewrites:
    """Whether a program that is expected to ask is written once more: where the file says nothing, by a planner that is not small."""
    wanted = not planner.processor.is_small if settings.rewrites is None else settings.rewrites
    return "once" if wanted else "never"


def policy_without_models(settings: Settings, *, is_strict: bool) -> PolicySettings:
    """The same where no model is at hand: whether the planner is small is what the configuration says."""
    choice = settings.planner
    return _policy_settings(settings, is_small=choice.is_small or choice.provider == "embedded", is_strict=is_strict)


def _policy_settings(settings: Settings, *, is_small: bool, is_strict: bool) -> PolicySettings:
    return PolicySettings(
        this_machine_only=settings.this_machine_only,
        steering_bits=settings.steering_bits,
        asks_before_sending=is_small,
        asks_always=is_strict,
        groups=settings.groups,
        may_learn=settings.may_learn,
        user_name=settings.user_name,
        addresses=tuple(
            dict.fromkeys((*settings.addresses, *(own for mail in settings.accounts for own in mail.addresses)))
        ),
    )


def spending_of(settings: Settings, notice: Callable[[str], None]) -> Spending | None:
    """What the models may cost, if anything is capped.

    Raises:
        ConfigError: a cost is capped, and no model has a price.
    """
    if not settings.caps.are_any:
        return None
    choices = {"planner": settings.planner, "quarantined": settings.quarantined, "confined": settings.confined}
    prices = {role: choice.price for role, choice in choices.items() if choice is not None}
    if settings.caps.has_cost and not any(each != Price() for each in prices.values()):
        raise ConfigError(
            f"{settings.file}: spending: a cost is capped, and no model has price_in or price_out; give what a million tokens cost"
        )
    return Spending(settings.state / "spending.sqlite", settings.caps, prices, notice)


def model_of(choice: ModelChoice, notice: Callable[[str], None]) -> Model:
    """The model that a choice names. Nothing is loaded or contacted before its first call.

    Raises:
        ConfigError: the choice cannot be used as it stands.
        ModelMissing: the embedded model or its runtime is not installed.
    """
    match choice.provider:
        case "embedded":
            from armslength.models.embedded import WINDOW, EmbeddedModel, EmbeddedSettings

            window = min(choice.window, WINDOW)
            return EmbeddedModel(
                EmbeddedSettings(
                    threads=choice.threads, window=window, timeout=max(choice.timeout, 900.0), notice=notice
                )
            )
        case "openai":
            from armslength.models.chat import ChatModel

            return ChatModel(_endpoint(choice, _OPENAI))
        case "anthropic":
            from armslength.models.anthropic import AnthropicModel

            return AnthropicModel(_endpoint(choice, _ANTHROPIC))


def _endpoint(choice: ModelChoice, usual: str) -> Endpoint:
    return Endpoint(
        base_url=choice.base_url or usual,
        model=choice.model,
        api_key=None if choice.key is None else choice.key(),
        window=choice.window,
        is_local=choice.is_local,
        is_small=choice.is_small,
        at_once=choice.at_once,
        timeout=choice.timeout,
    )
