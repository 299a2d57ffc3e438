"""A home to which all is connected that can be: each on a server of a test's on loopback, each with a secret of its own.

Secrets are told by environment, by command and by keyring; none of them stands in the configuration.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bench.home.mcp_server import STRING, FakeServer, tool
from tests.servers.dav_radicale import PASSWORD as DAV_PASSWORD
from tests.servers.dav_radicale import USER as DAV_USER
from tests.servers.dav_radicale import Radicale, radicale
from tests.servers.imap_dovecot import PASSWORD as IMAP_PASSWORD
from tests.servers.imap_dovecot import Dovecot, dovecot
from tests.servers.search import SearchService, search_service
from tests.servers.smtp import PASSWORD as SMTP_PASSWORD
from tests.servers.smtp import USER as SMTP_USER
from tests.servers.smtp import MailServer, authority, mail_server
from tests.store.keyrings import NAME, FakeKeyring

SEARCH_KEY, MODEL_KEY, MCP_TOKEN, HOOK_TOKEN = "S34rch/key+1", "m0del?key&2", "mcp t0ken=3", "h00k:token/4"
IMAP_USER = "ada"
SECRETS = (IMAP_PASSWORD, DAV_PASSWORD, SMTP_PASSWORD, SEARCH_KEY, MODEL_KEY, MCP_TOKEN, HOOK_TOKEN)


@dataclass(frozen=True)
class Everything:
    """The servers, and what tells the home of them. `file`: the command prints what stands in it."""

    imap: Dovecot
    smtp: MailServer
    dav: Radicale
    search: SearchService
    mcp: FakeServer
    ring: FakeKeyring
    file: Path
    config: str


@contextmanager
def everything(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Everything]:
    """All of it, stopped at the end. `config`: the tables for the file of the home, whose `[mail]` has no path."""
    folder.mkdir()
    key, chain = folder / "dav.key", folder / "dav.crt"
    certificate = authority().issue_cert("localhost")
    certificate.private_key_pem.write_to_path(key)
    for blob in certificate.cert_chain_pems:
        blob.write_to_path(chain, append=True)
    authority().cert_pem.write_to_path(folder / "authority.pem")
    (folder / "dav").mkdir()
    with ExitStack() as stack:
        imap = stack.enter_context(dovecot())
        smtp = stack.enter_context(mail_server(folder))
        dav = stack.enter_context(radicale(folder / "dav", (chain, key), folder / "authority.pem"))
        search = stack.enter_context(search_service(SEARCH_KEY))
        dav.make(f"/{DAV_USER}/plans/", "calendar", "Work")
        dav.make(f"/{DAV_USER}/friends/", "addressbook", "Friends")
        mcp = FakeServer(folder / "mcp", tool("look", {"at": STRING}))
        ring = FakeKeyring()
        stack.enter_context(_used(ring))
        ring.set_password("armslength secrets", "dav", DAV_PASSWORD)
        ring.set_password("armslength secrets", "mcp", MCP_TOKEN)
        told = folder.with_suffix(".told")  # elsewhere: as a password store of the person's own would be
        told.write_text(f"{SMTP_PASSWORD}\n")
        monkeypatch.setenv("IMAP_PASSWORD", IMAP_PASSWORD)
        for name, secret in (("SEARCH_KEY", SEARCH_KEY), ("MODEL_KEY", MODEL_KEY), ("HOOK_TOKEN", HOOK_TOKEN)):
            monkeypatch.setenv(name, secret)
        made = Everything(imap, smtp, dav, search, mcp, ring, told, "")
        yield Everything(imap, smtp, dav, search, mcp, ring, told, _config(made, folder))


@contextmanager
def _used(ring: FakeKeyring) -> Iterator[None]:
    import keyring

    before = keyring.get_keyring()
    keyring.set_keyring(ring)
    try:
        yield
    finally:
        keyring.set_keyring(before)


def _config(made: Everything, folder: Path) -> str:
    words: dict[str, Any] = {
        "imap_authorities": str(made.imap.authorities),
        "smtp_authorities": str(made.smtp.authorities),
        "told": [sys.executable, "-c", "import sys; print(open(sys.argv[1]).read())", str(made.file)],
        "dav": made.dav.url,
        "authority": str(folder / "authority.pem"),
        "local": [made.search.place],
        "search": made.search.url,
        "python": sys.executable,
        "arguments": made.mcp.arguments,
    }
    said = {name: json.dumps(each) for name, each in words.items()}
    return f"""\
[mail.imap]
host = "localhost"
port = {made.imap.tls_port}
user = "{IMAP_USER}"
password = {{ environment = "IMAP_PASSWORD" }}
authorities = {said["imap_authorities"]}
[mail.smtp]
host = "127.0.0.1"
port = {made.smtp.port}
user = "{SMTP_USER}"
password = {{ command = {said["told"]} }}
authorities = {said["smtp_authorities"]}
[calendar]
url = {said["dav"]}
user = "{DAV_USER}"
password = {{ keyring = "dav" }}
authorities = {said["authority"]}
[contacts]
url = {said["dav"]}
user = "{DAV_USER}"
password = {{ keyring = "dav" }}
authorities = {said["authority"]}
[web]
fetch = true
local = {said["local"]}
[web.search]
kind = "brave"
url = {said["search"]}
key = {{ environment = "SEARCH_KEY" }}
[mcp.notes]
command = {said["python"]}
arguments = {said["arguments"]}
[mcp.notes.secrets]
NOTES_TOKEN = {{ keyring = "mcp" }}
[mcp.notes.tools.look]
changes = false
receivers = []
[runs]
encrypt = true
keyring = "{NAME}"
[schedule.morning]
request = "What is new?"
at = "07:30"
[notify]
command = ["true"]
webhook = "http://127.0.0.1:9/hook"
token = {{ environment = "HOOK_TOKEN" }}
[spending]
day_tokens = 200000
"""
