"""Invitations and the mails that brought them: whose words an event is, and what an attacker's mail or event can do to that."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest
from bench.home.world import ME as MAILBOX
from bench.home.world import NOW, Person, rules, statuses
from tests.servers.dav_radicale import Radicale
from tests.tools.dav.conftest import event, settings_for
from tests.tools.dav.test_invitations import ANNA, ME, MORNING, ServedHome

from armslength.errors import ArmslengthError, ConfigError, OperatorError, ToolError
from armslength.labels import Label
from armslength.surfaces.reports import change_lines
from armslength.tools.base import Tool, ToolCall
from armslength.tools.calendar.agenda import CalendarAccount
from armslength.tools.calendar.caldav import served_calendar_tools
from armslength.tools.calendar.ics import read_entries
from armslength.tools.calendar.invited import Invited
from armslength.tools.mail.invitations import Invitation
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_room

HERS = (f"ORGANIZER;CN=Anna:mailto:{ANNA}", f"ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:{ME}")
TEA = (*HERS, *MORNING, "SUMMARY:Tea", "LOCATION:Garden", "DESCRIPTION:Bring cake")
FROM_HER = f"Anna Berg <{ANNA}>"
FROM_EVE = "Eve <eve@evil.example>"
UNVERIFIED, HER_WORDS = {"calendar:unverified"}, {f"mail:{ANNA}"}
PART = "Content-Type: text/calendar; charset=UTF-8; method={method}\n\n{text}\n"


def text_of(*lines: str, uid: str = "tea", method: str = "REQUEST", around: str = "") -> str:
    """What a mail about an event holds."""
    return event(uid, *lines, around=f"METHOD:{method}\n{around}")


def alternative(text: str, method: str = "REQUEST") -> tuple[str, str]:
    """The head and body of a mail whose text has two forms, of which one is a calendar."""
    head = 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n'
    part = PART.format(method=method, text=text)
    return head, f"--b\nContent-Type: text/plain\n\nCome to tea\n--b\n{part}--b--"


class InvitedHome(ServedHome):
    """A home whose calendar knows the mail."""

    vouching = "mx.example.org"

    def tools(self) -> list[Tool]:
        account = CalendarAccount("", settings_for(self.server.url.rstrip("/") + self.calendar), (ME,))
        mail = MailSettings(self.path / "mail", (MAILBOX,), "Max Example", authserv_id=self.vouching)
        state = self.path / "state"
        invitations = mail_room(mail, self.trust, state).invitations
        others = [each for each in super().tools() if "calendar" not in {each.reads, each.changes}]
        return [*others, *served_calendar_tools([account], self.trust, state, UTC, invitations)]

    def mail(self, text: str, *, sender: str = FROM_HER, method: str = "REQUEST", is_verified: bool = True) -> None:
        """A mail comes whose text is this calendar, in one of two forms."""
        head, body = alternative(text, method)
        deliver = self.verified if is_verified else self.deliver
        deliver(body, subject="Tea", sender=sender, head=head)

    def labels(self) -> dict[str, Label]:
        """The labels of the fields of the first of its times."""
        (search,) = [tool for tool in self.tools() if tool.name == "search_calendar_events"]
        found = search.run(ToolCall({}, NOW), {"query": "Tea"}).data
        assert isinstance(found, tuple)
        return {name: value.label for name, value in found[0].data.items()}

    def whose(self) -> set[str]:
        """The sources of its words, but for what the store itself knows."""
        labels = self.labels()
        (said,) = {
            frozenset(each.name for each in labels[name].data if not each.name.startswith("store:"))
            for name in ("title", "start", "end", "location", "description", "organizer", "participants")
        }
        return set(said)


@pytest.fixture
def home(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> InvitedHome:
    """A home with Anna's invitation in the calendar, and no mail."""
    made = InvitedHome(tmp_path, server, collection())
    made.invite("tea", *TEA)
    return made


def test_an_invitation_that_a_mail_of_its_organizer_brought_is_the_organizers_words(home: InvitedHome) -> None:
    """The mail's sender is authenticated and is who invites, and the event shows what that mail says; private as before."""
    assert home.whose() == UNVERIFIED
    home.mail(text_of(*TEA))
    assert home.whose() == HER_WORDS
    labels = home.labels()
    assert labels["title"].readers == home.labels()["id"].readers
    assert {source.name for source in labels["answer"].data} >= UNVERIFIED


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(
            ("multipart/mixed", "--a\nContent-Type: multipart/alternative; boundary=b\n\n{alternative}\n--a--"),
            id="in-a-mixture",
        ),
        pytest.param(("text/calendar; method=REQUEST; charset=utf-8", "{text}"), id="alone"),
    ],
)
def test_the_forms_in_which_calendars_are_sent_are_found(home: InvitedHome, how: tuple[str, str]) -> None:
    """The calendar is the mail's text, or one form of it, which may stand before attachments."""
    kind, body = how
    boundary = "; boundary=a" if kind.startswith("multipart") else ""
    filled = body.format(alternative=alternative(text_of(*TEA))[1], text=text_of(*TEA))
    home.verified(filled, sender=FROM_HER, head=f"MIME-Version: 1.0\nContent-Type: {kind}{boundary}\n")
    assert home.whose() == HER_WORDS


def test_an_invitation_by_mail_is_answered_without_a_question(home: InvitedHome) -> None:
    """As a mail of an authenticated sender is: the answer goes to who wrote the invitation, and the event stays that person's words."""
    home.mail(text_of(*TEA))
    program = "answer_invitation(search_calendar_events(query='Tea')[0], 'accepted')"
    person = Person([False])
    result = home.ask(program, person=person)
    assert (statuses(result), person.screens) == ([("answer_invitation", "done")], [])
    (line,) = change_lines(result.outcome.effects, "")
    assert line == (
        "done: answer an invitation: accepted; this server sends no mail of the answer:"
        f" write to them yourself (may be seen by {ANNA})"
    )
    assert home.whose() == HER_WORDS
    home.invite("tea", *TEA, "COMMENT:other words")
    assert home.whose() == HER_WORDS  # nothing of that is shown
    home.invite("tea", *TEA[:-1], "DESCRIPTION:Bring money")
    assert home.whose() == UNVERIFIED


def test_an_update_by_mail_counts_once_the_calendar_says_the_same(home: InvitedHome) -> None:
    """The latest revision of who invites: what the mail before said is nobody's by then."""
    later = (*TEA[:-1], "DESCRIPTION:Bring more cake", "SEQUENCE:1")
    home.mail(text_of(*TEA))
    home.mail(text_of(*later))
    assert home.whose() == UNVERIFIED
    home.invite("tea", *later)
    assert home.whose() == HER_WORDS


def test_an_event_that_was_called_off_by_mail_is_nobodys_words(home: InvitedHome) -> None:
    """The organizer does not say any more what the first mail said."""
    home.mail(text_of(*TEA))
    home.mail(text_of(*TEA, "STATUS:CANCELLED", "SEQUENCE:1", method="CANCEL"), method="CANCEL")
    assert home.whose() == UNVERIFIED


# Attacks: a mail of somebody else


def test_attack_the_same_uid_by_another_sender(home: InvitedHome) -> None:
    """Eve is authenticated as Eve, and sends Anna's invitation: nothing of it is known to be Anna's, nor is it Eve's."""
    home.mail(text_of(*TEA), sender=FROM_EVE)
    assert home.whose() == UNVERIFIED


def test_attack_the_event_of_another_in_a_mail_of_ones_own(home: InvitedHome) -> None:
    """Eve takes over the UID of Anna's event, in her own name: what the calendar says by then is Eve's, and Anna's words are not raised."""
    home.mail(text_of(*TEA))
    theirs = ("ORGANIZER:mailto:eve@evil.example", *TEA[1:-1], "DESCRIPTION:Bring money", "SEQUENCE:9")
    home.mail(text_of(*theirs), sender=FROM_EVE)
    assert home.whose() == HER_WORDS
    home.invite("tea", *theirs)
    assert home.whose() == {"mail:eve@evil.example"}


def test_attack_a_later_revision_by_somebody_else(home: InvitedHome) -> None:
    """Another text, or the same one as a later revision, that stands in the calendar without a mail of Anna's."""
    home.mail(text_of(*TEA))
    home.mail(text_of(*TEA[:-1], "DESCRIPTION:Bring money", "SEQUENCE:1"), sender=FROM_EVE)
    for changed in ((*TEA[:-1], "DESCRIPTION:Bring money", "SEQUENCE:1"), (*TEA, "SEQUENCE:1")):
        home.invite("tea", *changed)
        assert home.whose() == UNVERIFIED


def test_attack_a_sender_whom_nobody_vouches_for(home: InvitedHome) -> None:
    """Anybody can write Anna's address into From."""
    home.mail(text_of(*TEA), is_verified=False)
    assert home.whose() == UNVERIFIED


def test_attack_a_mailbox_that_authenticates_nobody(home: InvitedHome) -> None:
    """Where no server vouches for senders, what a mail says of itself counts for nothing."""
    home.vouching = ""
    home.mail(text_of(*TEA))
    assert home.whose() == UNVERIFIED


def test_attack_an_invitation_that_was_forwarded(home: InvitedHome) -> None:
    """Anna passes on a mail of Eve's that invites in Anna's name: the calendar within that mail is no request of hers."""
    head = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="a"\n'
    inner = f"From: {FROM_EVE}\n{''.join(alternative(text_of(*TEA))[0])}\n{alternative(text_of(*TEA))[1]}\n"
    body = f"--a\nContent-Type: text/plain\n\nSee below\n--a\nContent-Type: message/rfc822\n\n{inner}--a--"
    home.verified(body, sender=FROM_HER, head=head)
    assert home.whose() == UNVERIFIED


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(
            "Content-Type: text/calendar; method=REQUEST\nContent-Disposition: attachment; filename=tea.ics",
            id="as-a-file",
        ),
        pytest.param("Content-Type: text/calendar; method=REQUEST", id="after-the-text"),
        pytest.param("Content-Type: text/calendar", id="without-a-method"),
        pytest.param("Content-Type: application/ics; method=REQUEST", id="of-another-kind"),
    ],
)
def test_attack_a_calendar_that_is_attached(home: InvitedHome, part: str) -> None:
    """Anna attaches a file that Eve gave her: it is not what her mail says."""
    head = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="a"\n'
    text = text_of(*TEA)
    home.verified(f"--a\nContent-Type: text/plain\n\nSee\n--a\n{part}\n\n{text}\n--a--", sender=FROM_HER, head=head)
    assert home.whose() == UNVERIFIED


def test_attack_a_request_beside_another_calendar(home: InvitedHome) -> None:
    """Which of two is what the mail says would be a guess."""
    head, body = alternative(text_of(*TEA))
    second = PART.format(method="REQUEST", text=text_of(*TEA[:-1], "DESCRIPTION:Bring money"))
    home.verified(body.removesuffix("--b--") + f"--b\n{second}--b--", sender=FROM_HER, head=head)
    assert home.whose() == UNVERIFIED


def test_attack_two_events_in_one_invitation(home: InvitedHome) -> None:
    """A second VEVENT beside the first, of the same UID or of another: nothing of the mail counts."""
    for uid in ("tea", "other"):
        second = event(uid, *TEA).partition("BEGIN:VEVENT")[2].partition("END:VEVENT")[0]
        home.mail(text_of(*TEA, around=f"BEGIN:VEVENT{second}END:VEVENT\n"))
        assert home.whose() == UNVERIFIED


def test_attack_a_method_that_is_no_request(home: InvitedHome) -> None:
    """What is published, or said to be a request in one of two places only, invites nobody."""
    home.mail(text_of(*TEA, method="PUBLISH"), method="PUBLISH")
    home.mail(text_of(*TEA, method="PUBLISH"), method="REQUEST")
    assert home.whose() == UNVERIFIED


def test_attack_an_invitation_to_somebody_else_sent_on(home: InvitedHome) -> None:
    """Bob was invited, and sends Anna's signed mail and event on: she did not ask the user."""
    his = (HERS[0], "ATTENDEE:mailto:bob@example.com", *TEA[2:])
    home.mail(text_of(*his))
    home.invite("tea", *his)
    assert home.whose() == UNVERIFIED


def test_attack_an_old_invitation_sent_again(home: InvitedHome) -> None:
    """A signed mail can be delivered once more: what Anna wrote last counts, by its revision and stamp, not what came last."""
    first, later = text_of(*TEA), text_of(*TEA[:-1], "DESCRIPTION:At six").replace("20261101T09", "20261101T10")
    home.mail(first)
    home.mail(later)
    home.mail(first)
    assert home.whose() == UNVERIFIED


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(("ATTENDEE:mailto:eve@evil.example", *TEA), id="a-participant-more"),
        pytest.param(
            (f'ORGANIZER;SENT-BY="mailto:eve@evil.example":mailto:{ANNA}', *TEA[1:]), id="another-to-answer-to"
        ),
        pytest.param((*TEA[:2], "DTSTART:20261205T090000Z", "DTEND:20261205T100000Z", *TEA[4:]), id="another-time"),
        pytest.param((*TEA, "RRULE:FREQ=DAILY"), id="repeated"),
        pytest.param((*TEA, "RDATE:20261206T080000Z"), id="a-time-more"),
    ],
)
def test_attack_the_event_says_something_else(home: InvitedHome, changed: tuple[str, ...]) -> None:
    """Whoever writes into the calendar adds to what Anna said, or says it otherwise."""
    home.mail(text_of(*TEA))
    home.invite("tea", *changed)
    assert home.whose() == UNVERIFIED


@pytest.mark.parametrize(
    "more",
    [
        pytest.param((), id="nothing"),
        pytest.param(("SUMMARY:Tea at Eve's",), id="two-titles"),
        pytest.param(("BEGIN :X", "SUMMARY:Tea at Eve's", "END :X"), id="a-part-that-readers-read-apart"),
        pytest.param(("BEGIN:VALARM", "ACTION:DISPLAY", "SUMMARY:Tea at Eve's", "END:VALARM"), id="an-alarm"),
    ],
)
def test_attack_what_two_readers_read_apart(more: tuple[str, ...]) -> None:
    """A text that a server would not take is compared as programs see it, whatever stands in it."""
    mail = Invitation(ANNA, "REQUEST", text_of(*TEA).encode(), NOW)
    (entry,) = read_entries("", event("tea", *more, *TEA).encode())[0]
    invited = Invited(lambda _senders: [mail], frozenset({ME}))
    invited.look([entry])
    assert invited.is_known(entry) is (entry.title == "Tea")


def zone(offset: str) -> str:
    """A zone that no system knows."""
    period = f"BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:{offset}\nTZOFFSETTO:{offset}\nEND:STANDARD\n"
    return f"BEGIN:VTIMEZONE\nTZID:Anna's\n{period}END:VTIMEZONE\n"


ZONED = (*HERS, "DTSTART;TZID=Anna's:20261205T080000", "DURATION:PT1H", *TEA[4:])


@pytest.mark.parametrize("more", [(), ("RRULE:FREQ=WEEKLY",)], ids=["once", "repeated"])
def test_attack_a_zone_alone_moves_an_event(home: InvitedHome, more: tuple[str, ...]) -> None:
    """Only the definition of its zone is changed: before an answer and after one, the event is not what Anna wrote any more."""
    lines = (*ZONED, *more)

    def put(offset: str) -> None:
        home.server.put(f"{home.calendar}tea.ics", event("tea", *lines, around=zone(offset)))

    home.mail(text_of(*lines, around=zone("+0100")))
    put("+0900")
    assert home.whose() == UNVERIFIED
    put("+0100")
    assert home.whose() == HER_WORDS
    home.ask("answer_invitation(search_calendar_events(query='Tea')[0], 'accepted')")
    assert home.whose() == HER_WORDS
    put("+0900")
    assert home.whose() == UNVERIFIED


def test_a_mailbox_that_cannot_be_read_vouches_for_nobody(home: InvitedHome) -> None:
    """The calendar is read nevertheless."""
    home.mail(text_of(*TEA))
    (home.path / "mail").rename(home.path / "elsewhere")
    assert home.whose() == UNVERIFIED


@pytest.mark.parametrize("error", [ToolError("no answer"), ConfigError("another password"), OperatorError("locked")])
def test_a_mailbox_that_lets_nobody_in_vouches_for_nobody(error: ArmslengthError) -> None:
    """A password of the mail that was changed is no matter of the calendar's."""

    def asked(_senders: frozenset[str]) -> list[Invitation]:
        raise error

    (entry,) = read_entries("", event("tea", *TEA).encode())[0]
    invited = Invited(asked, frozenset({ME}))
    invited.look([entry])
    assert not invited.is_known(entry)


def test_an_answer_to_somebody_elses_event_is_asked_about(home: InvitedHome) -> None:
    """Nothing vouches for who invites once the event differs from the mail."""
    home.mail(text_of(*TEA))
    home.invite("tea", *TEA[:-1], "DESCRIPTION:Bring money")
    result = home.ask("answer_invitation(search_calendar_events(query='Tea')[0], 'accepted')", person=Person([False]))
    assert (result.outcome.ending, "receivers-unvouched" in rules(result)) == ("declined", True)
