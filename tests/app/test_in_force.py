"""Every setting in force is shown, under its name in the file, and no secret is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from armslength.app import Settings, load_settings
from armslength.app.in_force import in_force
from armslength.app.settings import settings_in

HERE = """
state = "state"
[runs]
database = "my-runs.sqlite"
encrypt = true
key_file = "my.key"
keyring = "keyring_pass.PasswordStoreBackend"
keep = "36h"
[memory]
keep = true
[user]
name = "Ada"
addresses = ["ada@example.com"]
[mail]
path = "Mail"
folders_path = "Folders"
authserv_id = "mx.example.com"
check_signatures = true
resolver = "127.0.0.1"
outbox = "Out"
drafts = "Draft"
trash = "Bin"
sent = "Gone"
held = "Waiting"
hold = "90m"
[files]
path = "Notes"
[calendar]
path = "Cal"
[contacts]
path = "Cards"
[standin]
path = "standin"
[web]
fetch = false
local = ["nas.home.lan:8080"]
authorities = "home.pem"
ports = [443]
megabytes = 6
timeout = 31
[web.services."docs.example.com"]
tells = ["cdn.example.net"]
shared = true
own = ["/kim/"]
passes_on = true
account = "kim's"
[web.search]
kind = "brave"
url = "https://find.example/search"
tells = ["www.bing.com"]
key = { environment = "SEARCH_KEY" }
account = "kim's"
[mcp.notes]
command = "uvx"
arguments = ["--quiet"]
environment = ["LANG"]
secrets = { KEY = { environment = "NOTES_KEY" } }
folder = "notes"
honest = true
start_timeout = 31
timeout = 61
[mcp.notes.tools.write]
use = false
result = false
description = "writes"
roles = { text = "content" }
reads = true
changes = true
receivers = ["server"]
repeatable = true
may_be_granted = true
picks = true
known = ["id"]
public = ["*"]
readers = ["*@example.com"]
[mcp.desk]
url = "https://desk.example/mcp"
token = { keyring = "desk" }
authorities = "desk.pem"
[documents]
without_sandbox = "read"
megabytes = 600
timeout = 21
[models.planner]
provider = "openai"
model = "big"
base_url = "https://models.example/v1"
key = { environment = "MODEL_KEY" }
window = 10_000
is_local = true
is_small = true
timeout = 121
threads = 3
at_once = 2
price_in = 1.5
price_out = 2.5
[models.quarantined]
provider = "anthropic"
[models.confined]
provider = "embedded"
[schedule.morning]
request = "What is new?"
at = "07:30"
days = ["mon", "fri"]
[schedule.often]
request = "What is new?"
every = "2h"
[schedule.mail]
request = "What is new?"
on_mail = true
[notify]
command = ["notify-send"]
webhook = "https://hooks.example.com/…"
token = { environment = "HOOK_TOKEN" }
[spending]
currency = "EUR"
run_cost = 0.5
day_cost = 5.0
run_tokens = 7
day_tokens = 8
[page]
port = 8080
wait_minutes = 61
[conversation]
bits = 9
[trust]
sources = ["mail:kim@example.com"]
[privacy]
this_machine_only = ["file:*"]
steering_bits = 25
[privacy.may_learn]
work = ["calendar:*"]
"kim@example.com" = ["file:*"]
[groups]
work = ["*@work.example", "file:*"]
[policy]
file = "rules.cedar"
rewrites = false
[tracing]
spans = "calls"
[approvals]
lasting_grants = false
"""
SERVERS = """
[runs]
database = "postgresql://me@db.example.com/runs"
password = { environment = "RUNS_PASSWORD" }
folder = "runs"
[user]
name = "Ada"
addresses = ["ada@example.com"]
[mail]
hold = "2h"
[mail.work]
addresses = ["ada@work.example"]
name = "A. L."
[mail.work.imap]
host = "localhost"
port = 1143
tls = "none"
user = "ada"
authorities = "mail.pem"
[mail.work.smtp]
host = "smtp.example.com"
port = 1587
tls = "starttls"
user = "ada"
authorities = "mail.pem"
keep_copy = false
[mail.work.oauth]
provider = "other"
client_id = "client"
client_secret = { environment = "CLIENT_SECRET" }
device_url = "https://a.example/device"
token_url = "https://a.example/token"
scope = "mail"
authorities = "provider.pem"
[mail.home]
[mail.home.imap]
host = "mail.example.com"
password = { keyring = "home" }
[mail.home.smtp]
host = "mail.example.com"
token = { keyring = "home" }
[calendar.work]
url = "http://localhost:5232/"
user = "ada"
password = { environment = "DAV_PASSWORD" }
collection = "Work"
tls = "none"
authorities = "dav.pem"
timeout = 61
addresses = ["ada@work.example"]
shared_with = ["kim@work.example"]
writes = "Work"
[contacts]
url = "https://dav.example.com/"
token = { keyring = "dav" }
[web]
fetch = true
"""
FILES = {"here": HERE, "servers": SERVERS, "empty": ""}


def loaded(folder: Path, text: str) -> Settings:
    """The settings of a file."""
    file = folder / "config.toml"
    file.write_text(text)
    return load_settings(file)


@pytest.mark.parametrize("name", FILES)
def test_what_is_shown_is_the_configuration(tmp_path: Path, name: str) -> None:
    """As JSON and read as the file would be it gives the same settings, so that nothing that a file can say is missing."""
    settings = loaded(tmp_path, FILES[name])
    shown = json.loads(json.dumps(in_force(settings)))
    again = settings_in(tmp_path / "config.toml", given(shown))
    assert replace(again, is_model_named=settings.is_model_named, own_database=settings.own_database) == settings
    assert again.database == settings.database
    assert in_force(again) == in_force(settings)


def given(shown: Any) -> Any:
    """Without what is not set, for which TOML has no word."""
    if isinstance(shown, Mapping):
        return {key: given(each) for key, each in shown.items() if each is not None}
    return shown


NOT_SET_HERE = {
    "Settings.file", "Settings.is_model_named",  # not said in a table
    "ImapServer.index", "ImapServer.timeout", "ImapServer.slowest", "ImapServer.most_bytes", "ImapServer.is_told", "Submission.seconds",
    "Reach.network",  # of tests
    "MailSettings.confinement", "MailSettings.counting",  # given by the wiring
}  # fmt: skip


def test_every_field_of_the_settings_is_set_in_these_files(tmp_path: Path) -> None:
    """To something else than its default, so that the test above is about each of them: a new setting belongs into these files."""
    places = [place for text in FILES.values() for place in reached(loaded(tmp_path, text))]
    usual = {name for name, is_set in places if not is_set}
    assert usual - {name for name, is_set in places if is_set} == NOT_SET_HERE


def reached(found: object) -> Iterator[tuple[str, bool]]:
    """Each field of a dataclass of ours and of those in it, and whether it has something else than its default."""
    if isinstance(found, tuple | list):
        for each in found:
            yield from reached(each)
    elif isinstance(found, Mapping):
        yield from reached(list(found.values()))
    elif is_dataclass(found) and not isinstance(found, type):
        for field in fields(found):
            inside = getattr(found, field.name)
            name = f"{type(found).__name__}.{field.name}"
            yield name, name not in NOT_SET_HERE and inside != default_of(field)
            yield from reached(() if name in NOT_SET_HERE else inside)


def default_of(field: Field[Any]) -> object:
    """What it is if nothing is said; what has to be said is never that."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def test_a_secret_is_shown_as_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what is there, of a command its program alone, of a web hook its host, and of an address nothing behind the question mark."""
    monkeypatch.setenv("MODEL_KEY", "s3cret")
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"old": {"command": "x", "env": {"KEY": "s3cret"}}}}')
    settings = loaded(
        tmp_path,
        '[models.planner]\nprovider = "openai"\nbase_url = "https://m.example/v1?key=s3cret"\nkey = { environment = "MODEL_KEY" }\n'
        '[models.quarantined]\nprovider = "openai"\nkey = { command = ["pass", "s3cret"] }\n'
        '[notify]\nwebhook = "https://hooks.example.com/services/s3cret"\ntoken = { keyring = "hook" }\n'
        '[contacts]\nurl = "https://dav.example.com/?key=s3cret"\n[mcp]\nservers_file = "mcp.json"\n'
        '[runs]\ndatabase = "postgresql://me@db.example.com/runs?sslkey=s3cret"\n',
    )
    shown = in_force(settings)
    assert "s3cret" not in json.dumps(shown)
    assert shown["models"]["planner"]["key"] == {"environment": "MODEL_KEY"}
    assert shown["models"]["quarantined"]["key"] == {"command": ["pass", "…"]}
    assert shown["notify"] == {"command": [], "webhook": "https://hooks.example.com/…", "token": {"keyring": "hook"}}
    assert shown["mcp"]["old"]["secrets"] == {"KEY": "in mcp.servers_file"}
