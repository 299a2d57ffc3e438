"""The approval page: who gets to see a screen, who may answer it, and that an answer is taken once."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.surfaces.driving import screen_with
from tests.surfaces.paging import Asking, asked, place_in

from armslength.agent.approving.approval import REFUSED, Answer, Offer
from armslength.app import Settings
from armslength.errors import NotNow, OperatorError
from armslength.installing import install_command
from armslength.store.sqlite import SqliteRuns
from armslength.surfaces import approvers
from armslength.surfaces.approvers import asking as asking_of
from armslength.surfaces.page.application import Desk, chosen
from armslength.surfaces.page.serving import PageApprover

SCREEN = screen_with("send a mail", "post <b>a</b> message", offers={2: [Offer("week", "for a week")]})
FIELDS = [("say", "all")]


@pytest.fixture
def page() -> Iterator[Asking]:
    with asked(SCREEN) as asking:
        yield asking


def test_a_link_shows_the_screen_once_and_the_form_answers_it(page: Asking) -> None:
    """Link, cookie, screen, answer: the way of a person."""
    entered = page.request("GET", f"/{page.token}")
    assert entered.status == 200
    page.place = place_in(entered.body)
    assert entered.headers["set-cookie"].endswith(f"; HttpOnly; Path={page.place}; SameSite=strict")
    cookie = entered.headers["set-cookie"].partition(";")[0]
    shown = page.request("GET", page.place, cookie=cookie)
    assert "post &lt;b&gt;a&lt;/b&gt; message" in shown.body
    assert page.token not in shown.body
    said = page.say(cookie, [("mark", page.mark(cookie)), ("accept", "2"), ("take", "2.1"), ("say", "some")])
    assert (said.status, "Your answer is yes to 1 of 2." in said.body) == (200, True)
    assert page.answer() == Answer(frozenset({"2"}), frozenset({"week"}))
    assert page.approver.refusal == "you did not say yes"


def test_a_link_works_once(page: Asking) -> None:
    """Whoever comes second gets no cookie and is told so."""
    page.enter()
    again = page.request("GET", f"/{page.token}")
    assert "If that was not you, press Ctrl-C where the run was started" in again.body
    assert (again.status, "set-cookie" in again.headers, "This link was used" in again.body) == (410, False, True)


def test_a_second_answer_changes_nothing(page: Asking) -> None:
    """The first counts, whatever comes after."""
    cookie = page.enter()
    mark = ("mark", page.mark(cookie))
    assert page.say(cookie, [mark, ("say", "none")]).status == 200
    second = page.say(cookie, [mark, *FIELDS])
    assert (second.status, "This was answered already" in second.body) == (409, True)
    assert page.request("GET", page.place, cookie=cookie).status == 409
    assert page.answer() == REFUSED


def test_a_late_answer_is_refused() -> None:
    """Nobody waits any more: a page says so, and the answer was a no."""
    with asked(SCREEN, wait=0.5) as page:
        cookie = page.enter()
        mark = page.mark(cookie)
        assert page.answer() == REFUSED
        late = page.say(cookie, [("mark", mark), *FIELDS])
        assert (late.status, "This is over" in late.body) == (410, True)
        assert page.approver.refusal == "nobody answered within 0 seconds"


def test_a_question_that_may_wait_stays() -> None:
    """Nobody answered in time: that is no answer, and the run waits on."""
    patient = PageApprover(lambda _line: None, wait=0.2, is_patient=True)
    with pytest.raises(NotNow):
        patient.approve(SCREEN)
    patient.close()


@pytest.mark.parametrize("path", ["/", "/x", "/%2e%2e/", "/style.css/", "/AAAA", "//", "/index.html", "/é"])
def test_without_the_secret_there_is_nothing(page: Asking, path: str) -> None:
    """No cookie, a wrong token, another path: one page that says nothing."""
    for cookie in ("", "armslength=", "armslength=x", f"armslength={page.token}", f"other={page.token}"):
        got = page.request("GET", path.replace("é", "%C3%A9"), cookie=cookie)
        assert (got.status, "send a mail" in got.body, "set-cookie" in got.headers) == (403, False, False)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "evil.example:1", "localhost.evil.example", "127.0.0.1.evil.example", "[::1]", ""],
)
def test_another_host_name_is_refused(page: Asking, host: str) -> None:
    """A name that is made to point here (DNS rebinding) gets nothing, and does not use the link up."""
    cookie = "armslength=x"
    assert page.request("GET", f"/{page.token}", cookie=cookie, Host=host).status in {400, 403}
    assert page.request("GET", "/style.css", Host=host).status in {400, 403}
    cookie = page.enter()
    assert page.request("GET", page.place, cookie=cookie, Host=host).status in {400, 403}
    mark = page.mark(cookie)
    assert page.say(cookie, [("mark", mark), *FIELDS], Host=host, Origin=f"http://{host}").status in {400, 403}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"}, {"Content_Type": "text/plain"}, {"Content_Type": "multipart/form-data"}, {"Content_Type": ""},
    ],
)  # fmt: skip
def test_an_answer_from_elsewhere_is_refused(page: Asking, headers: dict[str, str]) -> None:
    """Another origin, none, another kind of body: nothing is answered."""
    cookie = page.enter()
    assert page.say(cookie, [("mark", page.mark(cookie)), *FIELDS], **headers).status == 403
    assert page.request("GET", page.place, cookie=cookie).status == 200


def test_an_answer_needs_its_mark_and_its_cookie(page: Asking) -> None:
    """Each alone is nothing; neither is a mark of another screen, or a body that is too long."""
    cookie = page.enter()
    mark = page.mark(cookie)
    assert page.say("", [("mark", mark), *FIELDS]).status == 403
    for wrong in ([], [("mark", "")], [("mark", mark[:-1])], [("mark", "é")]):
        assert page.say(cookie, [*wrong, *FIELDS]).status == 403
    assert page.say(cookie, [("mark", mark), ("x", "y" * 100_000), *FIELDS]).status == 403
    assert page.request("POST", page.place, cookie=cookie, body="\xff&&=", Origin=f"http://{page.host}").status == 403
    assert page.request("GET", page.place, cookie=cookie).status == 200


def test_the_cookie_counts_in_one_place_that_nobody_can_guess(page: Asking) -> None:
    """With the right cookie, at any other path there is nothing to see and nothing to answer."""
    cookie = page.enter()
    place, mark = page.place, page.mark(cookie)
    assert re.fullmatch(r"/at/[A-Za-z0-9_-]{43}", place)
    for other in ("/", "/at/", "/at/x", place[:-1], f"{place}x", f"{place}/", f"/at/{page.token}", f"{place}%2F"):
        page.place = other
        assert page.request("GET", other, cookie=cookie).status == 403
        assert page.say(cookie, [("mark", mark), *FIELDS]).status == 403
    page.place = place
    assert page.request("GET", place, cookie=cookie).status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
def test_other_methods_are_refused(page: Asking, method: str) -> None:
    """The page is shown and answered; there is nothing else."""
    cookie = page.enter()
    assert page.request(method, page.place, cookie=cookie).status == 403


def test_every_page_forbids_what_it_does_not_need(page: Asking) -> None:
    """Scripts, frames, sources from elsewhere, caches, and the link in a referrer."""
    cookie = page.enter()
    for reply in (
        page.request("GET", page.place, cookie=cookie),
        page.request("GET", "/nothing"),
        page.request("GET", "/style.css"),
    ):
        policy = reply.headers["content-security-policy"]
        assert (
            policy
            == "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
        assert (reply.headers["cache-control"], reply.headers["x-frame-options"]) == ("no-store", "DENY")
        assert (reply.headers["referrer-policy"], reply.headers["x-content-type-options"]) == ("same-origin", "nosniff")
        assert "server" not in reply.headers
        assert "<script" not in reply.body
        assert "style=" not in reply.body


def test_the_server_is_on_this_machine_alone(page: Asking) -> None:
    """It listens on the loopback address."""
    assert page.host.startswith("127.0.0.1:")


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        ([("say", "all")], ["1", "2"]), ([("say", "some"), ("accept", "1")], ["1"]), ([("say", "some"), ("accept", "1"), ("accept", "2")], ["1", "2"]),
        ([("say", "all"), ("accept", "1")], ["1", "2"]), ([("say", "none"), ("accept", "1")], []), ([("say", "some")], []), ([("accept", "1")], []),
        ([("say", "all"), ("say", "none")], []), ([("say", "All")], []), ([("say", "some"), ("accept", "3")], []), ([("say", "some"), ("accept", "01")], []),
        ([("say", "all"), ("approved", "true")], []), ([], []), ([("say", "some"), ("accept", "1"), ("take", "2.1")], []), ([("say", "all"), ("take", "1.1")], []),
    ],
)  # fmt: skip
def test_only_the_buttons_with_their_boxes_say_yes(said: list[tuple[str, str]], accepted: list[str]) -> None:
    """Two buttons, a box that is none, a field that says `approved`: a no to all."""
    assert sorted(chosen(SCREEN, said).accepted) == accepted


def test_each_screen_has_its_own_secrets() -> None:
    """Two screens of one run are answered apart; the cookie of the first shows nothing of the second."""
    desk = Desk(1)
    one, other = desk.put(SCREEN), desk.put(SCREEN)
    assert len({one.token, one.session, one.mark, one.place, other.token, other.session, other.mark, other.place}) == 8
    assert min(map(len, (one.token, one.session, one.mark, one.place))) >= 43


def test_a_port_that_is_taken_is_a_no(page: Asking) -> None:
    """It says which setting to change."""
    approver = PageApprover(lambda _line: None, port=int(page.host.rpartition(":")[2]))
    assert approver.approve(SCREEN) == REFUSED
    assert approver.refusal.endswith("Address already in use; choose another for page.port")


def test_a_page_that_is_not_installed_is_an_error_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setattr(approvers.importlib.util, "find_spec", lambda _name: None)
    with (
        pytest.raises(
            OperatorError,
            match=f"^--page needs the extra page; leave --page out, or run {re.escape(install_command('page'))}$",
        ),
        asking_of(Settings(), is_page=True, is_patient=False),
    ):
        raise AssertionError


def answered(process: Any) -> str:
    """All is accepted on the page that the command names; what stood on it."""
    line = process.stderr.readline()
    assert line.startswith("armslength: your yes is needed; open once, within 60 minutes: http://127.0.0.1:")
    page = Asking(PageApprover(lambda _line: None), line.split()[-1], threading.Thread())
    cookie = page.enter()
    shown = page.request("GET", page.place, cookie=cookie).body
    assert page.say(cookie, [("mark", page.mark(cookie)), ("say", "all")]).status == 200
    return shown


def test_taking_back_asks_on_a_page(home: Any) -> None:
    """`undo --page`, and each question of `chat --page`, which has a link of its own."""
    home.will('append_to_file("todo.md", "- milk")')
    home.run("ask", "note milk", "--quiet")
    run = SqliteRuns(home.path / "state" / "runs.sqlite").names()[-1]
    process = home.start("undo", run, "--page", "--quiet")
    assert "what changes in todo.md" in answered(process)
    assert process.communicate(timeout=60)[0] == "done: take back: append to the file todo.md\n"
    home.provider.answers.clear()
    home.will('send_email(["kim@example.com"], "hi", search_emails("")[0].body)', 'append_to_file("todo.md", "- milk")')
    talk = home.start("chat", "--page", "--quiet", stdin=subprocess.PIPE)
    talk.stdin.write("send\nnote milk\n/undo-last\n")
    talk.stdin.close()
    assert "goes to: kim@example.com" in answered(talk)
    assert "take back: append to the file todo.md" in answered(talk)
    talk.stdin = None
    assert talk.communicate(timeout=60)[0] == (
        "done: send a mail to kim@example.com\ndone: append to the file todo.md\ndone: take back: append to the file todo.md\n"
    )
    assert home.todo == "- water the plants\n"


def test_a_command_asks_on_a_page(home: Any) -> None:
    """`ask --page` prints the link on standard error, also with --quiet; the answer there is the run's."""
    home.will('send_email(["kim@example.com"], "hi", search_emails("")[0].body)')
    process = home.start("ask", "send", "--page", "--quiet")
    assert "goes to: kim@example.com" in answered(process)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "done: send a mail to kim@example.com\n")
    assert len(home.outbox()) == 1
