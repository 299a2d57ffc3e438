"""Held mail on the command line: listed, taken back by its run or its name, sent when it is due by whatever comes next."""

from __future__ import annotations

import signal
import time
from datetime import datetime
from email import message_from_bytes
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.servers.smtp import DROP, MailServer, mail_server, scripted_server


def holding(home: Any, hold: str = "10m") -> None:
    """What is sent is held."""
    home.config.write_text(home.config.read_text().replace('path = "Mail"', f'path = "Mail"\nhold = "{hold}"'))


def sent(home: Any, subject: str = "Hi") -> str:
    """Something is sent without a question; its run."""
    home.will(f'send_email(["kim@example.com"], "{subject}", "ping")')
    ended = home.run("ask", "send it", "--json", "--quiet")
    assert ended.code == 0
    return str(ended.json()["run"])


def lying(home: Any, folder: str) -> list[Path]:
    """The messages in a folder."""
    return sorted((home.path / "Mail" / f".{folder}").glob("*/*"))


def make_due(home: Any) -> None:
    """As if everything had been sent a day ago: the time stands in the file's name."""
    for path in lying(home, "Held"):
        seconds, _, rest = path.name.partition(".")
        path.rename(path.with_name(f"{int(seconds) - 86_400}.{rest}"))


def test_what_is_held_is_listed_until_when(home: Any) -> None:
    """With receivers and subject; nothing has left."""
    holding(home)
    assert home.run("held").out == "nothing is held\n"
    sent(home)
    listed = home.run("held").out
    run = home.run("runs", "--json").json()["runs"][0]["name"]
    assert listed.endswith(f"  of run {run}  to kim@example.com: Hi\n")
    (one,) = home.run("held", "--json").json()["held"]
    assert one["run"] == run
    assert (one["recipients"], one["subject"], listed.split()[0]) == (["kim@example.com"], "Hi", one["name"])
    assert (len(lying(home, "Held")), lying(home, "Outbox")) == (1, [])


@pytest.mark.parametrize("words", [("held",), ("held", "--send-due"), ("runs",), ("why",), ("grants",)])
def test_what_is_due_leaves_with_the_next_command(home: Any, words: tuple[str, ...]) -> None:
    """Once."""
    holding(home)
    sent(home)
    assert home.run(*words).code == 0
    assert len(lying(home, "Held")) == 1
    make_due(home)
    assert home.run(*words).code == 0
    assert home.run(*words).code == 0
    assert (len(lying(home, "Held")), len(lying(home, "Outbox"))) == (0, 1)


def test_a_timer_is_told_how_many_left(home: Any) -> None:
    """And nothing else."""
    holding(home)
    sent(home)
    assert home.run("held", "--send-due").out == "sent, since it was due: 0\n"
    make_due(home)
    assert home.run("held", "--send-due").out == "sent, since it was due: 1\n"


def test_a_run_is_recalled(home: Any) -> None:
    """All that it sent and is held becomes drafts, also what is due; the run has nothing left to take back."""
    holding(home)
    run, other = sent(home), sent(home)
    make_due(home)
    assert home.run("recall", run).out == "taken back: 1 mail, among the drafts now\n"
    assert (len(lying(home, "Held")), len(lying(home, "Drafts")), lying(home, "Outbox")) == (1, 1, [])
    ended = home.run("recall", run)
    assert (ended.code, ended.err) == (
        2,
        f"armslength: what {run} sent was taken back already: 1 mail, put among the drafts\n",
    )
    assert [path.name.partition(":")[2] for path in lying(home, "Drafts")] == ["2,DS"]
    for path in lying(home, "Drafts"):
        path.unlink()
    assert home.run("recall", run).err.endswith("was taken back already: 1 mail, put among the drafts\n")
    assert "nothing that" in home.run("undo", run).err
    assert home.run("verify").code == 0
    home.run("held")
    left = (
        f"armslength: nothing of {other} is held any more: what it sent has left; armslength held lists what is held\n"
    )
    ended = home.run("recall", other)
    assert (ended.code, ended.err) == (2, left)


def test_a_run_that_sent_nothing_has_nothing_to_recall(home: Any) -> None:
    """It is not said to have sent anything."""
    holding(home)
    home.will('answer("hi")')
    run = home.run("ask", "greet", "--json", "--quiet").json()["run"]
    ended = home.run("recall", run)
    assert (ended.code, ended.err) == (2, f"armslength: the run {run} sent no mail, so there is nothing to recall\n")


def test_ask_says_until_when_a_mail_is_held_and_how_to_recall_it(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In local time with its zone, as the lists say it; --json has the same."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        holding(home)
        home.will('send_email(["kim@example.com"], "Hi", "ping")')
        out = home.run("ask", "send it", "--quiet").out
        (one,) = home.run("held", "--json").json()["held"]
        until = datetime.fromisoformat(one["until"]).astimezone(ZoneInfo("Asia/Kolkata"))
        said = f"{until:%Y-%m-%d %H:%M} IST"
        assert out == (
            "done: send a mail to kim@example.com\n"
            f"held until {said}: the mail to kim@example.com; armslength recall {one['run']} takes it back before\n"
        )
        assert f"  until {said}  " in home.run("held").out
        began = datetime.fromisoformat(home.run("runs", "--json").json()["runs"][0]["started"])
        began_here = f"{began.astimezone(ZoneInfo('Asia/Kolkata')):%Y-%m-%d %H:%M} IST"
        assert began_here in home.run("runs").out
        assert home.run("why").out.startswith(f"run {one['run']}, {began_here}: done\n")
        home.will('send_email(["kim@example.com"], "Hi", "ping")')
        made = home.run("ask", "again", "--json", "--quiet").json()
        assert [(each["run"], each["recipients"]) for each in made["held"]] == [(made["run"], ["kim@example.com"])]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_one_mail_is_recalled_by_its_name(home: Any) -> None:
    """Or by the beginning of it; another name is none."""
    holding(home)
    sent(home)
    name = home.run("held", "--json").json()["held"][0]["name"]
    for wrong in ("ffffffffffff", name[:3], ""):
        assert "and no mail of that name is held; armslength held lists them" in home.run("recall", wrong).err
    assert home.run("recall", name[:6]).code == 0
    assert len(lying(home, "Drafts")) == 1
    run = home.run("runs", "--json").json()["runs"][0]["name"]
    assert "nothing that" in home.run("undo", run).err


def test_a_mailbox_that_fails_stops_no_other_command(home: Any) -> None:
    """It is said, and tried again by the next one."""
    holding(home)
    sent(home)
    make_due(home)
    (home.path / "Mail").rename(home.path / "Away")
    (home.path / "Mail").mkdir()
    ended = home.run("runs")
    assert (ended.code, ended.out.count("done")) == (0, 1)
    assert "mail that is due was not sent: mailbox " in ended.err
    (home.path / "Mail").rmdir()
    (home.path / "Away").rename(home.path / "Mail")
    home.run("runs")
    assert len(lying(home, "Outbox")) == 1


@pytest.mark.parametrize("hold", ["10", "0m", "-1m", "1y", "ten"])
def test_a_time_that_is_none_is_refused(home: Any, hold: str) -> None:
    """With what it should be like."""
    holding(home, hold)
    assert home.run("held").err.endswith("config.toml: mail.hold must be a time like 10m, 12h, 90d or 8w\n")


@pytest.mark.parametrize("folder", ["Outbox", "outbox", "INBOX", "Drafts", "Trash", "Sent"])
def test_the_folder_of_held_mail_is_no_other_one(home: Any, folder: str) -> None:
    """What is put into the outbox is not held."""
    holding(home)
    home.config.write_text(home.config.read_text().replace("hold =", f'held = "{folder}"\nhold ='))
    assert (
        "config.toml: mail.held must be a folder of its own; what lies in another one has left" in home.run("held").err
    )


def test_without_mail_there_is_nothing_to_hold(home: Any) -> None:
    """That is said."""
    home.config.write_text('state = "state"\n')
    assert home.run("held").err == "armslength: no mail is configured; [mail] in the configuration says where it lies\n"


def test_what_is_held_for_a_server_leaves_by_it_or_says_why_not(home: Any, tmp_path: Path) -> None:
    """A server that refuses: said by the command that tried, and in the list; it is sent once the server takes it."""
    holding(home)
    with mail_server(tmp_path, "none") as server:
        text = home.config.read_text()
        home.config.write_text(f'{text}\n[mail.smtp]\nhost = "127.0.0.1"\nport = {server.port}\ntls = "none"\n')
        sent(home)
        make_due(home)
        server.answers["kim@example.com"] = "550 5.1.1 no"
        listed = home.run("held")
        why = f"mail: 127.0.0.1:{server.port} does not take recipient 1 of 1 (550 5.1.1); nothing was sent"
        assert (
            listed.err
            == f"armslength: mail that is due was not sent: {why}; it is held, and a later command tries again\n"
        )
        assert listed.out.endswith(f"to kim@example.com: Hi\n  not sent: {why}\n")
        assert home.run("held", "--json").json()["held"][0]["failure"] == why
        server.answers.clear()
        assert (home.run("recall", listed.out.split()[0]).code, len(lying(home, "Drafts")), server.taken) == (0, 1, [])
        sent(home, "Ho")
        make_due(home)
        assert home.run("held", "--send-due").out == "sent, since it was due: 1\n"
        assert ([each.recipients for each in server.taken], len(lying(home, "Sent"))) == ([("kim@example.com",)], 1)


def test_a_mail_that_may_have_left_is_said_and_not_sent_again(home: Any) -> None:
    """The server broke off at the end; the list says what to do."""
    holding(home)
    script = ("220 hello", "250 me", "250 ok", "250 ok", "354 go on", DROP)
    with scripted_server(*script) as server:
        text = home.config.read_text()
        home.config.write_text(f'{text}\n[mail.smtp]\nhost = "127.0.0.1"\nport = {server.port}\ntls = "none"\n')
        sent(home)
        make_due(home)
        said = home.run("held").err
    assert said.endswith(
        "did not say whether it took it; look among the sent mail or ask who should have got it, before it is sent again; "
        "it is not sent again by itself, armslength held names it\n"
    )
    assert (home.run("held").err, len(lying(home, "Held"))) == ("", 1)


def test_a_request_whose_mail_may_have_left_says_so(home: Any) -> None:
    """It is not told as done, nor as not done."""
    script = ("220 hello", "250 me", "250 ok", "250 ok", "354 go on", DROP)
    with scripted_server(*script) as server:
        text = home.config.read_text()
        home.config.write_text(f'{text}\n[mail.smtp]\nhost = "127.0.0.1"\nport = {server.port}\ntls = "none"\n')
        home.will('send_email(["kim@example.com"], "Hi", "ping")')
        ended = home.run("ask", "send it", "--quiet")
    said = f"mail: 127.0.0.1:{server.port} got the whole mail and did not say whether it took it; "
    assert ended.out.startswith(f"failed: send a mail to kim@example.com ({said}")
    assert ended.err.startswith(f"armslength: stopped: {said}")


def killed_at_the_end(home: Any, server: MailServer) -> str:
    """A request whose process is killed once the server has the whole mail; its run."""
    text = home.config.read_text()
    home.config.write_text(f'{text}\n[mail.smtp]\nhost = "127.0.0.1"\nport = {server.port}\ntls = "none"\n')
    home.will('send_email(["kim@example.com"], "Hi", "ping")')
    process = home.start("ask", "send it")
    server.before_answering = lambda: process.send_signal(signal.SIGKILL)
    process.communicate()
    server.before_answering = lambda: None
    return str(home.run("runs", "--json").json()["runs"][0]["name"])


@pytest.mark.parametrize(("word", "count"), [("--it-happened", 1), ("--it-did-not", 2)])
def test_a_run_killed_at_the_end_of_its_mail_asks_whether_it_left(
    home: Any, tmp_path: Path, word: str, count: int
) -> None:
    """It does nothing by itself; what the person says decides, and the same mail keeps its id."""
    with mail_server(tmp_path, "none") as server:
        run = killed_at_the_end(home, server)
        asked = home.run("resume", run)
        assert (asked.code, len(server.taken)) == (2, 1)
        assert asked.err.startswith(
            "armslength: send_email was begun when the run was cut off, and whether it got done cannot be told; look for yourself, "
        )
        assert home.run("resume", run, word).code == 0
        ids = {message_from_bytes(each.content)["Message-ID"] for each in server.taken}
        assert (len(server.taken), len(ids)) == (count, 1)
        assert home.run("runs", "--json").json()["runs"][0]["state"] == "done"
