"""`policy show`, `test` and `explain`, and a run under rules of the user's own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from armslength.app.policies import default_text
from armslength.store.sqlite import SqliteRuns

WRITTEN_ONCE = "policy.rewrites = false\n"
"""What a file begins with that gets no table `[policy]`."""
RULE = """\
// No mail to strangers.
@id("only-family")
@deny("{receivers} is not family")
forbid (principal, action == Action::"send_email", resource)
unless { context.only_groups.contains(Group::"family") };
"""
SETTINGS = """
[policy]
file = "own.cedar"
rewrites = false
[groups]
family = ["*@home.example"]
[trust]
sources = ["mail:eva@home.example"]
[privacy]
this_machine_only = ["file:bank/*"]
[privacy.may_learn]
family = ["file:*", "store:files"]
"""
SEND = 'send_email(recipients=["{to}"], subject="Hi", body="{body}")'
CASES = """
[[case]]
name = "to my sister"
call = "send_email"
arguments = { recipients = "program", subject = "program", body = "program" }
receivers = ["eva@home.example"]
expect = "allow"

[[case]]
name = "to a stranger"
call = "send_email"
arguments = { recipients = "program", subject = "program", body = "mail:unverified, store:mail:eve@evil.example" }
receivers = ["eve@evil.example"]
expect = "ask"
rules = ["content-untrusted"]
"""


@pytest.fixture(name="ruled")
def ruled_fixture(home: Any) -> Any:
    """The home with a rule and settings about it."""
    home.config.write_text(home.config.read_text().removeprefix(WRITTEN_ONCE) + SETTINGS)
    (home.path / "own.cedar").write_text(RULE)
    (home.path / "cases.toml").write_text(CASES)
    return home


def test_all_that_is_enforced_is_shown(ruled: Any) -> None:
    """The shipped rules whole, the user's whole, and what the settings add."""
    out = ruled.run("policy", "show").out
    shipped, _, rest = out.partition(f"// {ruled.path}/own.cedar: yours\n\n")
    assert shipped == f"// default.cedar: shipped\n\n{default_text()}\n"
    assert rest == (
        f"{RULE}\n// {ruled.config}: what the settings say to these rules\n"
        "// trusted, their words count as yours: mail:eva@home.example\n"
        '// Group::"this-machine-only": file:bank/*\n'
        '// Group::"family": *@home.example\n'
        "// *@home.example may learn what comes of file:*, store:files\n"
        '// User::"you": Ada, ada@example.com\n'
        "// context.small_planner: false\n"
        "// context.strict: true with --strict, else false\n"
    )


def test_what_is_enforced_as_json(ruled: Any) -> None:
    """Each rule with its place, the settings as they were understood."""
    made = ruled.run("policy", "show", "--json").json()
    assert made["rules"][-1] == {
        "name": "only-family",
        "verdict": "deny",
        "reason": "{receivers} is not family",
        "file": f"{ruled.path}/own.cedar",
        "line": 2,
        "text": RULE.split("\n", 1)[1].strip(),
    }
    assert made["settings"]["groups"] == {"family": ["*@home.example"]}
    assert made["settings"]["may_learn"] == [{"who": ["*@home.example"], "what": ["file:*", "store:files"]}]


def test_what_a_rule_can_name_is_shown(ruled: Any) -> None:
    """Cedar's schema of the tools in use, groups included."""
    out = ruled.run("policy", "show", "--schema").out
    assert 'entity Group enum ["family", "this-machine-only"];' in out
    assert 'action "append_to_file" in ["every effect"]' in out
    assert '"read_file"' not in out


def test_cases_are_decided(ruled: Any) -> None:
    """A case that comes out otherwise is named with what decided; the code says so too."""
    ended = ruled.run("policy", "test", str(ruled.path / "cases.toml"))
    assert (ended.code, ended.out) == (
        4,
        "ok      to my sister: allow\nFAILED  to a stranger: expected ask, got deny by only-family\n2 cases, 1 failed\n",
    )
    made = ruled.run("policy", "test", str(ruled.path / "cases.toml"), "--json").json()
    assert made["missed"] == 1
    assert made["cases"][0] == {"name": "to my sister", "verdict": "allow", "misses": ""}
    (ruled.path / "cases.toml").write_text(
        CASES.replace('"ask"\nrules = ["content-untrusted"]', '"deny"\nrules = ["only-family"]')
    )
    assert ruled.run("policy", "test", str(ruled.path / "cases.toml")).code == 0


def test_a_case_is_explained(ruled: Any) -> None:
    """The rule that decides with its place, and what would change it."""
    ended = ruled.run("policy", "explain", str(ruled.path / "cases.toml"), "2")
    assert ended.out.splitlines()[:8] == [
        "to a stranger (send_email): deny",
        "  goes to: eve@evil.example; changes: outbox",
        "  recipients (target): words of trusted sources; may be read by everybody",
        "  subject (content): words of trusted sources; may be read by everybody",
        "  body (content): words of mail:unverified; may be read by you",
        "rules that decide it:",
        f"  only-family ({ruled.path}/own.cedar line 2): eve@evil.example is not family",
        "what would change it:",
    ]
    assert (
        "  ask by not-a-reader, content-untrusted, if eve@evil.example were in the group family"
        in ended.out.splitlines()
    )


def test_an_effect_of_a_run_is_explained(ruled: Any) -> None:
    """By today's policy, from what the journal keeps of it; what was decided then stands beside it."""
    ruled.will(SEND.format(to="eva@home.example", body="hello"), SEND.format(to="eve@evil.example", body="hello"))
    assert ruled.run("ask", "write to eva", "--quiet").code == 0
    assert ruled.run("ask", "write to eve", "--quiet").code == 4
    assert len(ruled.outbox()) == 1
    made = ruled.run("policy", "explain", "--json").json()
    assert (made["then"], made["verdict"], made["reasons"]) == (
        "deny by only-family", "deny", [{"rule": "only-family", "text": "eve@evil.example is not family"}],
    )  # fmt: skip
    (ruled.path / "own.cedar").write_text("")
    lines = ruled.run("policy", "explain").out.splitlines()
    assert lines[0].endswith(": allow")
    assert lines[1] == "  when it ran: deny by only-family"


def test_what_cannot_be_explained(ruled: Any) -> None:
    """No run, no such run, no such effect, a journal of an older version, no such case: one line each."""

    def said(*words: str) -> str:
        ended = ruled.run("policy", "explain", *words)
        assert ended.code == 2
        return str(ended.err)

    database = ruled.path / "state" / "runs.sqlite"
    assert (
        said() == f"armslength: explain: there is no run in {database}; ask something first, or give a file of cases\n"
    )
    ruled.will(SEND.format(to="eva@home.example", body="hello"))
    ruled.run("ask", "write", "--quiet")
    (run,) = SqliteRuns(database).names()
    assert (
        said("../x")
        == f"armslength: explain: there is no run ../x; the last is {run}. A file of cases ends with .toml\n"
    )
    assert said(run, "2") == f"armslength: explain: 1 effects were decided on in run {run}; there is no effect 2\n"
    assert (
        said(str(ruled.path / "cases.toml"), "3")
        == f"armslength: explain: {ruled.path}/cases.toml has 2 cases; there is no case 3\n"
    )
    entries = SqliteRuns(database).entries(run)
    for entry in entries:
        if entry["kind"] == "decision":
            del entry["effect"]["decided_on"]
    old = ruled.path / "state" / "runs" / "20200101-000000-1.jsonl"
    old.parent.mkdir()
    old.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    assert (
        said(old.stem)
        == f"armslength: explain: the journal of {old.stem} does not hold what its rules saw; an older version wrote it\n"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('@id("x") @ask("y")\nforbid (principal, action == Action::"send_emial", resource);', "line 2: x: no tool in use is named send_emial; did you mean send_email?"),
        ('@id("x") @ask("y")\nforbid (principal, action, resource) when { context.groups.contains(Group::"famly") };', 'line 2: x: there is no Group::"famly"; did you mean family?'),
        ("forbid", "line 1: the rule that begins here does not end with ;"),
    ],
)  # fmt: skip
def test_nothing_runs_under_a_policy_that_is_not_understood(ruled: Any, text: str, said: str) -> None:
    """No model is asked, whatever the command is; `config` says it too."""
    (ruled.path / "own.cedar").write_text(text)
    for words in (
        ["ask", "hi"],
        ["plan", "hi"],
        ["policy", "show"],
        ["policy", "test", str(ruled.path / "cases.toml")],
        ["config"],
    ):
        ended = ruled.run(*words)
        assert (ended.code, ended.err) == (2, f"armslength: {ruled.path}/own.cedar: {said}\n")
    assert ruled.provider.seen == []


def test_files_that_are_not_there(ruled: Any) -> None:
    """A policy that cannot be read is not an empty one."""
    ended = ruled.run("policy", "test", str(ruled.path / "none.toml"))
    assert (ended.code, ended.err.startswith(f"armslength: {ruled.path}/none.toml: cannot be read: ")) == (2, True)
    (ruled.path / "own.cedar").unlink()
    ended = ruled.run("ask", "hi")
    assert (ended.code, ended.err.startswith(f"armslength: {ruled.path}/own.cedar: cannot be read: ")) == (2, True)


def test_a_policy_lies_in_no_place_that_a_tool_writes(home: Any) -> None:
    """A program could write its own rules."""
    (home.path / "Notes" / "own.cedar").write_text("")
    home.config.write_text(home.config.read_text().removeprefix(WRITTEN_ONCE) + '[policy]\nfile = "Notes/own.cedar"\n')
    ended = home.run("policy", "show")
    assert (ended.code, ended.err) == (
        2, f"armslength: {home.config}: files.path and policy.file: one lies in the other; give each a place of its own\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[groups]\n"a]" = []\n', "groups.a] must be named by letters, digits, blanks and . @ - _, and not this-machine-only"),
        ("[groups]\nthis-machine-only = []\n", "groups.this-machine-only must be named by letters, digits, blanks and . @ - _, and not this-machine-only"),
        ('[groups]\na = ["mial:x"]\n', "groups.a: 'mial:x' names nobody; give an address, a host, a pattern of them, or mail:…, file:…, web:…, calendar:…, mcp:…, store:…, tool:…, slack:…"),
        ('[groups]\na = ["kim"]\n', "groups.a: 'kim' names nobody; give an address, a host, a pattern of them, or mail:…, file:…, web:…, calendar:…, mcp:…, store:…, tool:…, slack:…"),
        ('[privacy.may_learn]\nfamly = ["file:*"]\n', "privacy.may_learn.famly must be about somebody: 'famly' is no group, address, host or pattern of them"),
        ('[groups]\na = "kim@b.example"\n', "groups.a must be a list"),
        ('[privacy.may_learn]\n"*" = ["mail:kim"]\n', "privacy.may_learn.*: 'mail:kim' names no source; there are: mail:…, file:…, web:…, calendar:…, mcp:…, store:…, tool:…, user, program, quarantined, pasted, clock, *"),
        ('[policy]\nfiel = "x"\n', "policy.fiel is not a setting; there are: file, rewrites"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named(home: Any, text: str, said: str) -> None:
    """As everywhere in the configuration: never a guess."""
    home.config.write_text(home.config.read_text().removeprefix(WRITTEN_ONCE) + text)
    ended = home.run("policy", "show")
    assert (ended.code, ended.err) == (2, f"armslength: {home.config}: {said}\n")
