"""`model` and `model fetch`, with a model of a few bytes."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from armslength.models.catalogue import QWEN_CODER
from armslength.models.fetch import default_sources
from armslength.surfaces import modelling

BYTES = b"GGUF" + bytes(range(256)) * 40


@pytest.fixture
def small(home: Any) -> Any:
    """A home where the embedded model is a few bytes, and no source but the named path is tried."""
    spec = replace(QWEN_CODER, file_name="small.gguf", size=len(BYTES), sha256=hashlib.sha256(BYTES).hexdigest())
    home.monkeypatch.setattr(modelling, "QWEN_CODER", spec)
    home.monkeypatch.setattr(modelling, "find_model", lambda: find(spec))
    home.monkeypatch.setattr(modelling, "default_sources", lambda local: default_sources(local)[:1] if local else ())
    return home


find = modelling.find_model


def test_a_model_is_fetched_from_a_path_and_found(small: Any) -> None:
    """It is copied into the cache folder, verified, and `model` shows it there."""
    (small.path / "mine.gguf").write_bytes(BYTES)
    kept = small.path / "cache" / "armslength" / "small.gguf"
    assert "not there, or not whole; run armslength model fetch" in small.run("model").out
    ended = small.run("model", "fetch", "--from", str(small.path / "mine.gguf"))
    assert ended.code == 0
    assert ended.out == f"{kept}\nverified: its SHA-256 is that of its makers' file\n"
    assert f"armslength: from {small.path}/mine.gguf: 100 %\n" in ended.err
    assert kept.read_bytes() == BYTES
    assert f"embedded     {kept}\n{'':12} verified: its SHA-256 is that of its makers' file" in small.run("model").out


def test_a_wrong_file_is_refused(small: Any) -> None:
    """Each source's reason is one line, and the last line says what to do; code 2."""
    (small.path / "mine.gguf").write_bytes(BYTES[:-1] + b"x")
    ended = small.run("model", "fetch", "--from", str(small.path / "mine.gguf"))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines()[-2:] == [
        "armslength: small.gguf: what came has the wrong SHA-256 and was deleted; run it again",
        "armslength: model fetch: no source had small.gguf; run it again, or name a file or folder that has it",
    ]


def test_a_bar_is_shown_on_a_terminal(small: Any) -> None:
    """The source's name stands beside it, cleaned."""
    console = modelling.Console(force_terminal=True, width=100, file=open(small.path / "bar", "w"))  # noqa: SIM115, PTH123
    small.monkeypatch.setattr(modelling, "stderr_console", lambda: console)
    (small.path / "mine[red].gguf").write_bytes(BYTES)
    assert small.run("model", "fetch", "--from", str(small.path / "mine[red].gguf")).code == 0
    console.file.close()
    assert "mine[red].gguf" in (small.path / "bar").read_text()


def test_what_each_side_may_see(home: Any) -> None:
    """The planner sees no data; the quarantined model is cleared for what the configuration says."""
    lines = [line.strip() for line in home.run("model").out.splitlines()]
    host = home.provider.base_url.split("/")[2]
    assert lines[:4] == [
        f"planner      tiny at {host}, by the openai protocol",
        "sees your requests and the tools' declarations; no data",
        f"quarantined  tiny at {host}, by the openai protocol",
        "cleared for all data: it is on this machine",
    ]
    text = home.config.read_text().replace("is_local = true\n", "")
    home.config.write_text(f'{text}[privacy]\nthis_machine_only = ["mail:*@bank.example"]\n')
    kept = "mail:*@bank.example; mail that nobody vouches for counts as From and Reply-To say, and stays here where From names nobody"
    assert f"cleared for all data except {kept}\n" in home.run("model").out
    assert f"stays here   {kept}\n" in home.run("config").out


def test_no_model_configured_is_said(home: Any) -> None:
    """The embedded one is used then."""
    home.config.write_text("")
    ended = home.run("model")
    assert ended.out.startswith(
        "no model is configured; the embedded one is used\nplanner      the embedded model, in this process\n"
    )
    asked = home.run("ask", "x")
    assert (asked.code, asked.err) == (
        2, "armslength: embedded model: it is not on this machine; run armslength model fetch\n",
    )  # fmt: skip


def test_model_as_json(home: Any) -> None:
    """Both sides and the embedded file."""
    made = home.run("model", "--json").json()
    assert set(made) == {"planner", "quarantined", "is_model_named", "embedded"}
    assert made["quarantined"]["cleared_for"] == "cleared for all data: it is on this machine"
    assert (made["embedded"]["is_there"], made["embedded"]["is_verified"], made["embedded"]["sha256"]) == (
        False,
        False,
        None,
    )


def test_a_file_of_the_persons_own_is_no_verified_model(home: Any) -> None:
    """ARMSLENGTH_MODEL may name any file, and `model` says that it is one."""
    (home.path / "own.gguf").write_bytes(BYTES)
    home.monkeypatch.setenv("ARMSLENGTH_MODEL", str(home.path / "own.gguf"))
    shown = home.run("model").out
    assert f"a file of yours that ARMSLENGTH_MODEL names, not {QWEN_CODER.name}" in shown


def test_a_model_cannot_come_from_nowhere(home: Any) -> None:
    """A path that is not there is no source, even if the model is here already."""
    ended = home.run("model", "fetch", "--from", "/nowhere/model.gguf")
    assert ended.code == 2
    assert ended.err.splitlines()[-1] == "armslength: --from /nowhere/model.gguf: there is no such file or folder"
