"""The workspace's declarations: whose each field is, who learns of an effect, and what a run reads of what it wrote."""

from __future__ import annotations

import pytest

from armslength.errors import ToolError
from armslength.labels import LITERAL, PRIVATE, PUBLIC, Label, Readers, Source, label
from armslength.tools.base import ToolCall, names_in
from armslength.values import Labelled, Plain
from bench.dojo.tests.declaring import Suite, leaves, suite_of
from bench.dojo.tests.test_all_declarations import CHANGES, READS
from bench.dojo.tools import workspace
from bench.dojo.tools.shared import Args

EMMA = "emma.johnson@bluesparrowtech.com"
ATTACKER = label([Source("mail:info@best-event-organizers.com")], readers=PRIVATE)
RECORDED_BY_PROVIDER = {
    "Email": {"id_", "status", "read", "timestamp", "sender"},
    "CalendarEvent": {"id_", "status"},
    "CloudDriveFile": {"id_", "owner", "last_modified"},
}
WRITTEN_BY_PEOPLE = {
    "Email": {"subject", "body", "recipients"},
    "CalendarEvent": {"title", "description", "start_time", "end_time", "location", "participants", "all_day"},
    "CloudDriveFile": {"content", "size"},
}


def _suite() -> Suite:
    return suite_of(workspace)


def _labels(found: Labelled) -> dict[str, set[Label]]:
    labels: dict[str, set[Label]] = {}
    for path, leaf in leaves(found):
        labels.setdefault(path, set()).add(leaf.label)
    return labels


def _last(found: Labelled, path: str) -> Label:
    return [leaf.label for each, leaf in leaves(found) if each == path][-1]


@pytest.mark.parametrize(
    ("name", "args", "record"),
    [
        ("get_received_emails", {}, "Email"),
        ("search_calendar_events", {"query": ""}, "CalendarEvent"),
        ("list_files", {}, "CloudDriveFile"),
    ],
)
def test_what_the_provider_records_is_chosen_and_what_people_wrote_is_not(name: str, args: Args, record: str) -> None:
    labels = _labels(_suite().call(name, **args))
    chosen = {path for path, found in labels.items() if all(each.is_chosen for each in found)}
    written = {path for path, found in labels.items() if not any(each.is_chosen for each in found)}
    assert chosen >= {f"{record}.{field}" for field in RECORDED_BY_PROVIDER[record]}
    assert written >= {f"{record}.{field}" for field in WRITTEN_BY_PEOPLE[record]}


def test_only_the_day_is_for_everybody() -> None:
    suite = _suite()
    assert all(each.readers == PUBLIC for found in _labels(suite.call("get_current_day")).values() for each in found)
    for name, args in READS["workspace"]:
        if name != "get_current_day":
            assert all(each.readers != PUBLIC for found in _labels(suite.call(name, **args)).values() for each in found)


def test_sent_mail_is_the_users_own_words_and_its_readers_are_its_parties() -> None:
    found = _labels(_suite().call("get_sent_emails"))["Email.body"]
    assert all(each.is_trusted for each in found)
    parties = {EMMA, "david.smith@bluesparrowtech.com", "julie.williams@bluesparrowtech.com"}
    assert Readers(frozenset(parties)) in {each.readers for each in found}


def test_the_users_own_mails_are_listed_by_him_alone_and_others_by_whoever_writes() -> None:
    suite = _suite()
    assert suite.call("get_sent_emails").label.is_trusted
    assert suite.call("search_emails", query="Hi", sender=EMMA).label.is_trusted
    assert names_in(suite.call("get_received_emails").label) == ("mailbox:*",)
    assert names_in(suite.call("search_emails", query="the").label) == ("mail:*", "mailbox:*")


def test_others_files_are_named_and_shared_by_their_owners() -> None:
    own, others = (_labels(_suite().call("get_file_by_id", file_id=file_id)) for file_id in ("3", "24"))
    for field in ("filename", "shared_with", "Share.email", "Share.permission"):
        path = field if "." in field else f"CloudDriveFile.{field}"
        if path in own:
            assert all(each.is_trusted for each in own[path])
            assert not any(each.is_chosen for each in others[path])
    content = others["CloudDriveFile.content"].pop()
    assert {each.name for each in content.data} == {
        "file:manager-bluesparrowtech@gmail.com/newest-client-meeting-minutes.docx"
    }


def test_a_contact_that_others_only_wrote_to_is_their_word() -> None:
    suite = _suite()
    inbox = suite.world.environment.inbox
    mail = next(each for each in inbox.initial_emails if each.sender == "info@best-event-organizers.com")
    mail.cc.append("helper@evil.example")
    inbox.contact_list.append(type(inbox.contact_list[0])(email="helper@evil.example", name="Helper"))
    assert _last(suite.call("search_contacts_by_email", query="david.smith@"), "EmailContact.email").is_chosen
    assert not _last(suite.call("search_contacts_by_name", query="Helper"), "EmailContact.email").is_chosen


def test_whoever_invites_decides_which_events_are_listed() -> None:
    suite = _suite()
    for found in (
        suite.call("search_calendar_events", query="the"),
        suite.call("get_day_calendar_events", day="2024-05-15"),
    ):
        assert names_in(found.label) == ("listed:calendar:*",)
        title = _last(found, "CalendarEvent.title")
        assert {each.name for each in title.data} == {"calendar:unverified"}
        assert _last(found, "CalendarEvent.id_").is_chosen


def test_only_whom_the_user_wrote_to_is_known() -> None:
    knows = _suite().tools["send_email"].knows
    assert knows is not None
    assert {EMMA, "david.smith@bluesparrowtech.com", "client@abcindustries.com"} <= knows()
    assert not {"info@best-event-organizers.com", "lily.white@gmail.com"} & knows()


def test_whom_the_run_wrote_to_is_not_known_by_that() -> None:
    suite = _suite()
    suite.call("send_email", recipients=["a@b.example"], subject="s", body="b")
    knows = suite.tools["send_email"].knows
    assert knows is not None
    assert "a@b.example" not in knows()


@pytest.mark.parametrize(
    ("name", "args", "names"),
    [
        ("send_email", {"recipients": ["A@b.example"], "cc": None, "bcc": ["c@d.example"]}, ["a@b.example", "c@d.example"]),
        ("create_calendar_event", {"participants": None}, [EMMA]),
        ("create_calendar_event", {"participants": ["a@b.example"]}, ["a@b.example", EMMA]),
        ("share_file", {"file_id": "9", "email": "a@b.example"}, ["a@b.example"]),
        ("append_to_file", {"file_id": "9"}, []),
        ("append_to_file", {"file_id": "4"}, ["alex.martin@bluesparrowtech.com"]),
    ],
)  # fmt: skip
def test_who_learns_of_an_effect_that_the_user_vouches_for(name: str, args: Args, names: list[str]) -> None:
    found = _suite().tools[name].receivers(args)
    assert (found.names, found.are_vouched) == (tuple(names), True)


@pytest.mark.parametrize(
    ("name", "args", "names"),
    [
        ("cancel_calendar_event", {"event_id": "22"}, [EMMA, "info@data-backup-security.com"]),
        ("reschedule_calendar_event", {"event_id": "22"}, [EMMA, "info@data-backup-security.com"]),
        (
            "add_calendar_event_participants",
            {"event_id": "22", "participants": ["a@b.example"]},
            ["a@b.example", EMMA, "info@data-backup-security.com"],
        ),
        ("append_to_file", {"file_id": "7"}, ["john.doe@gmail.com"]),
    ],
)
def test_nobody_vouches_for_whom_others_invited_or_shared_with(name: str, args: Args, names: list[str]) -> None:
    found = _suite().tools[name].receivers(args)
    assert (found.names, found.are_vouched) == (tuple(names), False)


def test_what_goes_out_beside_the_arguments_is_what_stands_in_the_files() -> None:
    carries = _suite().tools["send_email"].carries
    assert carries is not None
    going_out = carries[1]({"attachments": [{"type": "file", "file_id": "5"}, {"type": "file", "file_id": "11"}]})
    assert {each.name for each in going_out.data} == {
        "file:customer-satisfaction-survey-results.xlsx",
        "file:mark@amazingrecipes.com/recipe-collection.docx",
    }
    assert going_out.readers == Readers(frozenset({EMMA}))
    assert carries[1]({"attachments": None}) is label()


def test_an_attachment_that_a_mail_had_is_passed_on() -> None:
    suite = _suite()
    suite.call("cancel_calendar_event", event_id="13")
    sent = suite.call("get_sent_emails").plain()
    assert isinstance(sent, list)
    mail = sent[-1]
    assert isinstance(mail, dict)
    suite.call("send_email", recipients=["a@b.example"], subject="s", body="b", attachments=mail["attachments"])
    environment = suite.world.environment
    assert environment.inbox.sent[-1].attachments == [environment.calendar.events["13"]]


def test_words_of_others_stay_theirs_in_a_mail_that_the_run_sent() -> None:
    suite, args = _suite(), dict[str, Plain](recipients=["a@b.example"], subject="s", body="pay")
    suite.labelled_call("send_email", {**dict.fromkeys(args, LITERAL), "body": ATTACKER}, args)
    assert not _last(suite.call("get_sent_emails"), "Email.body").is_chosen


def test_words_of_others_stay_theirs_in_a_file_that_the_run_wrote() -> None:
    suite, args = _suite(), dict[str, Plain](filename="x", content="pay")
    found = suite.labelled_call("create_file", {"filename": LITERAL, "content": ATTACKER}, args)
    assert not _last(found, "CloudDriveFile.content").is_chosen
    assert _last(found, "CloudDriveFile.id_").is_trusted
    suite.labelled_call("append_to_file", {"file_id": LITERAL, "content": ATTACKER}, {"file_id": "9", "content": "pay"})
    again = _last(suite.call("get_file_by_id", file_id="9"), "CloudDriveFile.content")
    assert names_in(again) == ("file:grocery-list-today.docx", "mail:info@best-event-organizers.com")


def test_an_event_that_the_run_made_is_its_own_and_a_mail_about_anothers_is_not() -> None:
    suite = _suite()
    suite.call("create_calendar_event", title="Tea", start_time="2031-01-01 16:00", end_time="2031-01-01 17:00")
    assert _last(suite.call("get_day_calendar_events", day="2031-01-01"), "CalendarEvent.title").is_chosen
    assert _last(suite.call("get_sent_emails"), "Email.body").is_chosen
    suite.call("cancel_calendar_event", event_id="13")
    assert not _last(suite.call("get_sent_emails"), "Email.body").is_chosen


def test_what_steered_a_change_steers_what_is_listed_afterwards() -> None:
    suite = _suite()
    suite.labelled_call("delete_email", {"email_id": ATTACKER}, {"email_id": "27"})
    assert names_in(_last(suite.call("get_sent_emails"), "Email.id_")) == ("mail:info@best-event-organizers.com",)


def test_a_file_that_was_made_is_taken_back_unless_it_was_shared_since() -> None:
    suite = _suite()
    undo, call, args = (
        suite.tools["create_file"].undo,
        ToolCall({}, workspace.NOW),
        dict[str, Plain](filename="x", content="y"),
    )
    assert undo is not None
    before = set(suite.world.environment.cloud_drive.files)
    undo(call, args, suite.call("create_file", **args).plain())
    assert set(suite.world.environment.cloud_drive.files) == before
    outcome = suite.call("create_file", **args).plain()
    assert isinstance(outcome, dict)
    suite.call("share_file", file_id=outcome["id_"], email="a@b.example", permission="r")
    with pytest.raises(ToolError, match="nothing was undone"):
        undo(call, args, outcome)


@pytest.mark.parametrize(("name", "args"), CHANGES["workspace"])
def test_what_a_person_is_shown_changes_nothing(name: str, args: Args) -> None:
    suite = _suite()
    prospect, before = suite.tools[name].prospect, suite.world.environment.model_dump_json()
    if prospect is not None:
        prospect(ToolCall(dict.fromkeys(args, LITERAL), workspace.NOW), args)
    assert (prospect is None) == (name == "create_file")
    assert suite.world.environment.model_dump_json() == before
