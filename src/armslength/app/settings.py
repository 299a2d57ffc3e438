"""The configuration file: TOML, checked whole before anything starts. An unknown key is an error, never a guess."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

import platformdirs

from armslength.agent.planning.budget import DEFAULT_BITS
from armslength.app.caps import Caps, caps_in
from armslength.app.dav import DavChoice, address_books_in, calendars_in
from armslength.app.documents import confinement_in
from armslength.app.keeping import Keeping
from armslength.app.mail import accounts_in
from armslength.app.mcp import servers_in
from armslength.app.model_choice import ModelChoice, model_choice
from armslength.app.notifying import Notify, notify_in
from armslength.app.secrets import SecretPlace
from armslength.app.system import allows_lasting_grants
from armslength.app.table import Table, can_be_member
from armslength.app.tasks import Task, tasks_in
from armslength.app.web import web_settings
from armslength.errors import ConfigError
from armslength.policy.settings import DEFAULT_STEERING_BITS, THIS_MACHINE_ONLY, Clearance, Group
from armslength.store.sealing import Contents
from armslength.tools.documents.confinement import USUAL, Confinement
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mcp.settings import Server
from armslength.tools.web.tools import WebSettings

_WEEK = 7 * 24 * 60  # minutes
Spans = Literal["off", "run", "calls"]
_SPANS: tuple[Spans, ...] = ("off", "run", "calls")


@dataclass(frozen=True, slots=True)
class DatabaseServer:
    """A PostgreSQL that keeps the runs. `password` is where the password is, if there is one."""

    url: str
    password: SecretPlace | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be configured. Places that are None have no tools.

    `own_database` or `server`: where the runs are kept, if not in `state`. `runs_folder`: of heads and key, if a server keeps them.
    `is_model_named`: the file says which model; else the embedded one is used, and the person is told so.
    `accounts`: of mail; the first writes if nothing else is said.
    `tasks`: requests that begin by themselves. `notify`: how the person hears of it.
    `caps`: what models may cost.
    `confined`: the model that reads what may not go to `quarantined`.
    `trusted`: names of sources whose words count as the user's own. `this_machine_only`: patterns of source names that never leave.
    `page_port` (0: any) and `page_minutes`: where the approval page is, and how long it waits.
    `steering_bits`: how much receivers may learn in a run of what only steered it.
    `conversation_bits`: how much the planner of a conversation may learn of data, all together. `policy`: the user's own rules, a file.
    `rewrites`: whether a program that is expected to ask is written once more; None: by large planners.
    `spans`: what OpenTelemetry is told of runs.
    `lasting_grants`: whether a yes beforehand may outlive its run. `documents`: how the process is confined that reads them.
    """

    file: Path | None = None
    state: Path = field(default_factory=lambda: Path(platformdirs.user_state_dir("armslength")))
    own_database: Path | None = None
    keeping: Keeping = field(default_factory=Keeping)
    server: DatabaseServer | None = None
    runs_folder: Path | None = None
    user_name: str = ""
    addresses: tuple[str, ...] = ()
    accounts: tuple[MailSettings, ...] = ()
    files: Path | None = None
    calendar: Path | None = None
    calendars: tuple[DavChoice, ...] = ()
    contacts: Path | None = None
    address_books: tuple[DavChoice, ...] = ()
    standin: Path | None = None
    web: WebSettings | None = None
    mcp: tuple[Server, ...] = ()
    planner: ModelChoice = field(default_factory=ModelChoice)
    quarantined: ModelChoice = field(default_factory=ModelChoice)
    confined: ModelChoice | None = None
    caps: Caps = field(default_factory=Caps)
    tasks: tuple[Task, ...] = ()
    notify: Notify = field(default_factory=Notify)
    has_memory: bool = False
    is_model_named: bool = False
    conversation_bits: int = DEFAULT_BITS
    page_port: int = 0
    page_minutes: int = 60
    trusted: frozenset[str] = frozenset()
    this_machine_only: tuple[str, ...] = ()
    steering_bits: int = DEFAULT_STEERING_BITS
    policy: Path | None = None
    groups: tuple[Group, ...] = ()
    may_learn: tuple[Clearance, ...] = ()
    rewrites: bool | None = None
    spans: Spans = "off"
    lasting_grants: bool = True
    documents: Confinement = USUAL

    @property
    def occasions(self) -> Path:
        """The file of which times of the schedule came."""
        return self.state / "schedule.sqlite"

    @property
    def grants(self) -> Path:
        """The file of what a person said yes to beforehand."""
        return self.state / "grants.sqlite"

    @property
    def database(self) -> Path:
        """The file of the runs, where no server keeps them."""
        return self.own_database or self.state / "runs.sqlite"

    @property
    def server_folder(self) -> Path:
        """The folder of heads and key, where a server keeps the runs."""
        return self.runs_folder or self.state

    @property
    def old_runs(self) -> Path:
        """The folder in which earlier versions kept a file for each run."""
        return self.state / "runs"

    @property
    def conversations(self) -> Path:
        """The folder of the conversations."""
        return self.state / "conversations"

    @property
    def contents(self) -> Contents:
        """How what is kept is kept."""
        return self.keeping.contents(self.state / "contents.id")

    @property
    def history(self) -> Path:
        """What was typed in conversations."""
        return self.state / "history"


def default_file() -> Path:
    """`ARMSLENGTH_CONFIG`, else `config.toml` in the user's configuration folder."""
    named = os.environ.get("ARMSLENGTH_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("armslength")) / "config.toml"


def load_settings(file: Path | None = None) -> Settings:
    """Read the configuration; without a file, all is default. What the administrator of this machine forbids is forbidden.

    Raises:
        ConfigError: the file named does not exist, is no TOML, or says something that is not understood.
    """
    found = _loaded(file)
    return found if allows_lasting_grants() else replace(found, lasting_grants=False)


def _loaded(file: Path | None) -> Settings:
    chosen = file or default_file()
    try:
        text = chosen.read_text("utf-8")
    except FileNotFoundError:
        if file is None and not os.environ.get("ARMSLENGTH_CONFIG"):
            return Settings()
        named = "--config" if file is not None else "ARMSLENGTH_CONFIG"
        raise ConfigError(f"{chosen}: there is no such file; {named} names it: correct that, or leave it out") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{chosen}: this is no text in UTF-8; name a TOML file") from None
    except OSError as error:
        raise ConfigError(f"{chosen}: cannot be read: {error.strerror}; name a TOML file that you can read") from None
    try:
        loaded = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{chosen}: this is not TOML: {error}") from error
    return settings_in(chosen, loaded)


def settings_in(file: Path, loaded: Mapping[str, Any]) -> Settings:
    """What the tables of a file say; relative places in them start at `file`, which is not read.

    Raises:
        ConfigError: something is not understood.
    """
    top = Table(file, "", loaded, _keyring(loaded))
    user, trust, privacy, runs = (top.table(name) for name in ("user", "trust", "privacy", "runs"))
    groups, policy = _groups(top.table("groups")), top.table("policy")
    page, calendar, contacts = top.table("page"), top.table("calendar"), top.table("contacts")
    models = top.table("models")
    planner, quarantined, confined = (models.table(role) for role in ("planner", "quarantined", "confined"))
    settings = Settings(
        file=file,
        state=top.path("state") or Settings().state,
        own_database=_database(runs),
        keeping=_keeping(runs),
        server=_server(runs),
        runs_folder=runs.path("folder"),
        user_name=user.text("name"),
        addresses=user.texts("addresses"),
        accounts=accounts_in(top.table("mail"), user, top.path("state") or Settings().state),
        files=top.table("files").path("path"),
        calendar=calendar.path("path"),
        calendars=calendars_in(calendar, user),
        contacts=contacts.path("path"),
        address_books=address_books_in(contacts),
        standin=top.table("standin").path("path"),
        web=web_settings(top.table("web"), confinement_in(top.table("documents"))),
        mcp=servers_in(top.table("mcp")),
        planner=model_choice(planner),
        quarantined=model_choice(quarantined if quarantined.is_given else planner),
        tasks=tasks_in(top.table("schedule")),
        notify=notify_in(top.table("notify")),
        caps=caps_in(top.table("spending")),
        confined=model_choice(confined) if confined.is_given else None,
        has_memory=top.table("memory").switch("keep"),
        is_model_named=planner.is_given or quarantined.is_given,
        conversation_bits=top.table("conversation").bits("bits", DEFAULT_BITS),
        page_port=page.between("port", 0, 0, 65_535),
        page_minutes=page.between("wait_minutes", 60, 1, _WEEK),
        trusted=frozenset(trust.sources("sources")),
        this_machine_only=privacy.sources("this_machine_only", "*"),
        steering_bits=privacy.bits("steering_bits", DEFAULT_STEERING_BITS),
        policy=policy.path("file"),
        rewrites=policy.choice("rewrites"),
        groups=groups,
        may_learn=_may_learn(privacy.table("may_learn"), groups),
        spans=top.table("tracing").one_of("spans", _SPANS),
        lasting_grants=top.table("approvals").switch("lasting_grants", default=True),
        documents=confinement_in(top.table("documents")),
    )
    top.refuse_unknown()
    return settings


def _database(table: Table) -> Path | None:
    return None if "://" in table.text("database") else table.path("database")


def _server(table: Table) -> DatabaseServer | None:
    """What is behind a URL, in which no password stands: neither this file nor what is shown of it would be the place."""
    url, password = table.text("database"), table.secret("password", "password_variable")
    if "://" not in url:
        if password or table.text("folder"):
            raise table.wrong("database", "a URL, if runs.password or runs.folder is given")
        return None
    if not url.startswith(("postgresql://", "postgres://")):
        raise table.wrong("database", "a file, or a URL that begins with postgresql://")
    if _has_password(url):
        raise table.wrong(
            "database",
            "a URL without a password; say in runs.password where it is, or use a passfile",
        )
    return DatabaseServer(url, password)


def _has_password(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.password is not None or any(
            "password" in name for name, _ in parse_qsl(parts.query, keep_blank_values=True)
        )
    except ValueError:
        return True


def _keyring(loaded: Mapping[str, Any]) -> str:
    """The class of a further keyring, for the places of secrets; whether it is one is checked with the table that names it."""
    runs = loaded.get("runs")
    found = runs.get("keyring") if isinstance(runs, dict) else None
    return found if isinstance(found, str) else ""


def _keeping(table: Table) -> Keeping:
    keyring = table.text("keyring")
    if keyring and not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", keyring):
        raise table.wrong("keyring", "the class of a keyring, such as keyring_pass.PasswordStoreBackend")
    return Keeping(
        is_encrypted=table.switch("encrypt"),
        key_file=table.path("key_file"),
        keyring=keyring,
        age=table.duration("keep"),
    )


def _groups(table: Table) -> tuple[Group, ...]:
    for name in table.names():
        if name == THIS_MACHINE_ONLY or not re.fullmatch(r"[\w .@-]{1,100}", name):
            raise table.wrong(name, "named by letters, digits, blanks and . @ - _, and not this-machine-only")
    return tuple(Group(name, table.members(name)) for name in table.names())


def _may_learn(table: Table, groups: tuple[Group, ...]) -> tuple[Clearance, ...]:
    """Whoever may learn something is a group, or an address, a host or a pattern of them."""
    of_groups = {group.name: group.members for group in groups}
    for who in table.names():
        if who not in of_groups and not can_be_member(who):
            raise table.wrong(who, f"about somebody: {who!r} is no group, address, host or pattern of them")
    return tuple(Clearance(of_groups.get(who, (who,)), table.sources(who, "*")) for who in table.names())
