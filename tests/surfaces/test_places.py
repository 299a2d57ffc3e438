"""`tools` and `config`: what is configured, and the example."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from armslength.app import load_settings
from armslength.app.model_choice import ModelChoice
from armslength.app.secrets import SecretPlace
from armslength.models.wire import WHOLE_ADDRESS
from armslength.surfaces.example import EXAMPLE
from armslength.tools.mail.settings import MailSettings, Submission


def test_a_tool_is_shown_with_all_it_declares(home: Any) -> None:
    """Signature, stores, receivers, roles, and whether it can be undone."""
    ended = home.run("tools")
    assert ended.code == 0
    assert (
        "append_to_file(filename: str, text: str) -> None\n"
        "    Makes the file if needed.\n"
        "    reads files; changes files; can be undone\n"
        "    receivers: nobody; parameters: filename (target), text (content)\n"
    ) in ended.out
    assert "    reads no store; changes outbox; cannot be undone\n    receivers: named by each call;" in ended.out


def test_tools_as_json(home: Any) -> None:
    """One object a tool."""
    made = {tool["name"]: tool for tool in home.run("tools", "--json").json()["tools"]}
    assert made["read_file"] == {
        "name": "read_file",
        "signature": "read_file(filename: str) -> File",
        "doc": "The file of that name; of a PDF or DOCX its text.",
        "reads": "files",
        "changes": None,
        "can_be_undone": False,
        "receivers": "nobody",
        "roles": {"filename": "query"},
    }


def test_the_configuration_is_shown_as_understood(home: Any) -> None:
    """Places are absolute; what is not configured is a dash."""
    lines = home.run("config").out.splitlines()
    assert f"file         {home.config}" in lines
    assert f"mail         {home.path}/Mail" in lines
    assert "  vouching   nobody: every sender is unverified" in lines
    assert "  leaves by  the folder Outbox" in lines
    assert "calendar     -" in lines
    assert "documents    read in a process within seccomp and bubblewrap" in lines
    assert f"planner      tiny by openai at {home.provider.base_url}" in lines


def test_every_setting_in_force_is_shown(home: Any) -> None:
    """By its name in the file, also where a default holds; what is not set is a dash, and a task is a line above, too."""
    home.config.write_text(
        home.config.read_text() + '[schedule.often]\nrequest = "news?"\nevery = "90m"\n[spending]\nday_cost = 5\n'
    )
    lines = home.run("config").out.splitlines()
    assert "begins       often, every 90 min" in lines
    rest = lines[lines.index("in force, by the names of the file:") :]
    assert '  schedule.often.request = "news?"' in rest
    assert "  spending.day_cost = 5.0" in rest
    assert "  spending.run_cost = -" in rest
    assert '  mail.trash = "Trash"' in rest
    assert "  page.wait_minutes = 60" in rest


def test_the_configuration_as_json(home: Any) -> None:
    """One object."""
    made = home.run("config", "--json").json()
    settings = made["settings"]
    assert (made["is_there"], settings["user"]) == (True, {"name": "Ada", "addresses": ["ada@example.com"]})
    assert settings["models"]["quarantined"] == settings["models"]["planner"]
    assert settings["models"]["planner"]["timeout"] == 30.0
    assert (settings["trust"]["sources"], settings["contacts"]) == ([], {"path": None})


def test_what_stands_behind_the_question_mark_of_an_address_is_not_shown(home: Any) -> None:
    """Some services want a key there: neither `config`, nor `mcp` shows it, as text or as JSON."""
    home.config.write_text(
        home.config.read_text().replace(home.provider.base_url, f"{home.provider.base_url}?api_key=s3cret")
        + '[mcp.desk]\nurl = "https://desk.example/mcp?key=s3cret"\n'
        + '[web.search]\nkind = "searxng"\nurl = "https://find.example/search?key=s3cret"\ntells = []\n'
    )
    for command in (["config"], ["config", "--json"], ["mcp"], ["mcp", "--json"]):
        ended = home.run(*command)
        assert ended.code == 0
        assert "s3cret" not in ended.out + ended.err
    assert "https://find.example/search?…, which tells nobody" in home.run("config").out


def test_without_a_file_all_is_default(home: Any) -> None:
    """The line says where the file would be and how to get one."""
    home.monkeypatch.setenv("XDG_CONFIG_HOME", str(home.path / "none"))
    home.monkeypatch.setattr("armslength.surfaces.configured.default_file", lambda: home.path / "none.toml")
    home.monkeypatch.setattr("armslength.surfaces.configured.load_settings", lambda _file: load_default(home))
    ended = home.run("config")
    place = f"{home.path}/none.toml (not there: all is default; armslength init makes one)"
    assert ended.out.splitlines()[0] == f"file         {place}"


def load_default(home: Any) -> Any:
    """The settings of a person who has no file."""
    home.monkeypatch.delenv("ARMSLENGTH_CONFIG")
    return load_settings()


WRONG = {
    "[mail]\npfad = 'x'\n": "mail.pfad is not a setting; there are: "
    "authserv_id, check_signatures, drafts, folders_path, held, hold, imap, oauth, outbox, path, resolver, sent, smtp, trash",
    "[models.planner]\nprovider = 'clippy'\n": "models.planner.provider must be one of embedded, openai, anthropic",
    "state = 3\n": "state must be a text",
    "[user]\naddresses = [1]\n": "user.addresses must be a list of texts",
    "[models.planner]\nbase_url = 'https://me:secret@models.example/v1'\n": "models.planner.base_url must be an address without a user name or "
    "password; say in key where the key is",
    "[models.planner]\nprovider = 'openai'\nbase_url = '127.0.0.1:18431'\n": f"models.planner.base_url must be {WHOLE_ADDRESS}",
    "[models.planner]\nmodel = 'gpt-4'\n": "models.planner.provider must be openai or anthropic where there is model; the embedded model has none",
    "[mails]\npath = 'x'\n": "mails is not a setting; did you mean mail? There are: "
    "approvals, calendar, contacts, conversation, documents, files, groups, mail, mcp, memory, models, notify, page, policy, privacy, runs, schedule, spending, standin, state, tracing, trust, user, web",
    "[models.planner]\nwindow = true\n": "models.planner.window must be a whole number",
    "[models.planner]\nis_local = 1\n": "models.planner.is_local must be true or false",
    "mail = 'x'\n": "mail must be a table",
    "colour = 'red'\n": "colour is not a setting; there are: "
    "approvals, calendar, contacts, conversation, documents, files, groups, mail, mcp, memory, models, notify, page, policy, privacy, runs, schedule, spending, standin, state, tracing, trust, user, web",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_a_wrong_setting_is_named(home: Any, text: str, message: str) -> None:
    """Place, what is wrong, what would be right; code 2; every command that reads it says the same."""
    home.config.write_text(text)
    for command in (["config"], ["tools"], ["why"], ["model"], ["ask", "x"]):
        ended = home.run(*command)
        assert (ended.code, ended.out, ended.err) == (2, "", f"armslength: {home.config}: {message}\n")


def test_settings_that_are_none_are_told_together(home: Any) -> None:
    """Each with its place and what it may have been; of many, how many more there are."""
    home.config.write_text("colour = 'red'\n[files]\npaths = 'x'\n[user]\nnames = 'x'\n")
    said = home.run("config").err
    assert "colour is not a setting; there are: " in said
    assert ". files.paths is not a setting; did you mean path? There are: path" in said
    assert ". user.names is not a setting; did you mean name? There are: " in said
    home.config.write_text("".join(f"colour{number} = 1\n" for number in range(8)))
    assert home.run("config").err.endswith(". 3 more are none either\n")


def test_a_file_that_is_no_toml(home: Any) -> None:
    """The parser's own place is passed on."""
    home.config.write_text("[mail\n")
    ended = home.run("config")
    assert ended.code == 2
    assert re.fullmatch(rf"armslength: {home.config}: this is not TOML: .*line 1.*\n", ended.err)


def test_a_named_file_that_is_not_there(home: Any) -> None:
    """--config and ARMSLENGTH_CONFIG mean that file and no other; its name is cleaned."""
    ended = home.run("config", "--config", "no\x1bsuch.toml")
    assert (
        ended.err
        == "armslength: no⟨U+001B⟩such.toml: there is no such file; --config names it: correct that, or leave it out\n"
    )
    assert ended.code == 2
    home.config.unlink()
    assert home.run("config").err == (
        f"armslength: {home.config}: there is no such file; ARMSLENGTH_CONFIG names it: correct that, or leave it out\n"
    )


def test_what_is_no_file_of_text_is_said(home: Any) -> None:
    """A folder, and other bytes; nothing of the system's own numbers."""
    assert home.run("config", "--config", str(home.path)).err == (
        f"armslength: {home.path}: cannot be read: Is a directory; name a TOML file that you can read\n"
    )
    home.config.write_bytes(b"\xff\xfe")
    assert home.run("config").err == f"armslength: {home.config}: this is no text in UTF-8; name a TOML file\n"


def test_a_place_that_is_not_there(home: Any) -> None:
    """A typo in a path is no empty mailbox."""
    home.config.write_text(home.config.read_text().replace('"Mail"', '"Mial"'))
    message = f"{home.config}: mail.path: there is no {home.path}/Mial; correct it, or make it"
    for command in (["ask", "x"], ["tools"]):
        ended = home.run(*command)
        assert (ended.code, ended.err) == (2, f"armslength: {message}\n")


def test_a_key_that_is_not_set(home: Any) -> None:
    """The variable is named, its content never."""
    home.config.write_text(home.config.read_text() + 'key_variable = "NO_SUCH_KEY"\n')
    ended = home.run("ask", "x")
    assert (ended.code, ended.err) == (
        2, f"armslength: {home.config}: models.planner.key: the environment variable NO_SUCH_KEY is not set\n",
    )  # fmt: skip


_MAIL = MailSettings(Path("~/Maildir").expanduser(), ("ada@example.com",), "Ada Lovelace")


def test_the_example_loads(home: Any, tmp_path: Path) -> None:
    """What --example prints is a configuration with sensible settings."""
    printed = home.run("config", "--example")
    assert (printed.code, printed.out) == (0, EXAMPLE)
    file = tmp_path / "example.toml"
    file.write_text(printed.out)
    settings = load_settings(file)
    assert settings.addresses == ("ada@example.com",)
    assert settings.accounts == (_MAIL,)
    assert settings.files == Path("~/Notes").expanduser()
    assert (settings.planner, settings.quarantined) == (ModelChoice(), ModelChoice())
    assert (settings.trusted, settings.this_machine_only) == (frozenset(), ())


def test_every_line_of_the_example_is_a_setting(tmp_path: Path) -> None:
    """With all that is commented out switched on it loads too, and each setting is in it."""
    commented = re.compile(r"^# ((?:\[[a-z.]+\]|[a-z_]+ = \S+).*)$", re.MULTILINE)
    whole = commented.sub(r"\1", EXAMPLE).replace('provider = "embedded"          #', "#", 1)
    file = tmp_path / "whole.toml"
    file.write_text(whole)
    settings = load_settings(file)
    key = SecretPlace("environment", ("OPENAI_API_KEY",), f"{file}: models.planner.key")
    assert settings.planner == ModelChoice("openai", "gpt-5", "https://api.openai.com/v1", key, 32768, timeout=120.0)
    assert settings.standin is not None
    assert settings.accounts == (
        replace(
            _MAIL,
            authserv_id="mx.example.com",
            checks_signatures=True,
            folders_path=Path("~/armslength-mail").expanduser(),
            hold=timedelta(minutes=10),
            submission=Submission("mail.example.com", 465, "implicit", "ada"),
        ),
    )
    assert settings.state == Path("~/.local/state/armslength").expanduser()


def test_every_setting_of_the_example_is_documented() -> None:
    """docs/configuration.md names each key that the example shows, commented out or not."""
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    keys = set(re.findall(r"^(?:# )?([a-z_]+) = ", EXAMPLE, re.MULTILINE))
    assert {key for key in keys if not re.search(rf"\b{key}\b", page)} == set()
    assert len(keys) > 20


def test_config_names_a_place_that_is_not_there(home: Any) -> None:
    """What the file says is shown, and what cannot be used is an error."""
    home.config.write_text(home.config.read_text() + f'[contacts]\npath = "{home.path}/nowhere.vcf"\n')
    ended = home.run("config")
    assert ended.code == 2
    assert "nowhere.vcf" in ended.out
    assert "contacts.path" in ended.err


def test_config_names_every_place_that_is_wrong(home: Any) -> None:
    """All that are not there in one line, and all that lie in another in one."""
    config = home.config.read_text().replace('"Notes"', '"Notse"')
    home.config.write_text(config + '[contacts]\npath = "no.vcf"\n')
    ended = home.run("config")
    missing = f"files.path: there is no {home.path}/Notse; contacts.path: there is no {home.path}/no.vcf"
    assert (ended.code, ended.err) == (2, f"armslength: {home.config}: {missing}; correct it, or make it\n")
    for name in ("Cal", "Notes/Cards"):
        (home.path / name).mkdir()
    home.config.write_text(
        home.config.read_text().replace("Notse", "Notes").replace("no.vcf", "Notes/Cards")
        + '[calendar]\npath = "Mail/cur"\n'
    )
    ended = home.run("config")
    pairs = "mail.path and calendar.path; files.path and contacts.path"
    assert (ended.code, ended.err) == (
        2, f"armslength: {home.config}: {pairs}: one lies in the other; give each a place of its own\n",
    )  # fmt: skip


def test_a_damaged_calendar_is_said(home: Any) -> None:
    """By `config`, and after a request that looked into the calendar; not after one that did not."""
    (home.path / "Cal").mkdir()
    (home.path / "Cal" / "broken.ics").write_text("BEGIN:VCALENDAR\nBEGIN:VEVENT\n")
    home.config.write_text(home.config.read_text() + '[calendar]\npath = "Cal"\n')
    line = "armslength: calendar: broken.ics: not a whole calendar; what is cut off in it was left out"
    assert home.run("config").err == f"{line}\n"
    assert home.run("config", "--json").json()["cannot_be_read"] == [line.removeprefix("armslength: ")]
    home.will("answer(len(search_calendar_events()))")
    assert home.run("ask", "what is on?", "--quiet").err == f"{line}; the answer may lack it\n"
    home.provider.answers.clear()
    home.will('answer("hi")')
    assert home.run("ask", "hello", "--quiet").err == ""
