"""Several accounts: one search over all of them, each with its own addresses, and which one writes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.tools.mail.conftest import NOW, Home

from armslength.errors import ConfigError, ToolError
from armslength.events import trust_nobody
from armslength.labels import label
from armslength.schema import Menu
from armslength.tools.base import ToolCall
from armslength.tools.mail.held import HeldMails
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_tools

WORK, HOME = "me@work.example", "me@home.example"


class Two:
    """An account `work` and one `home`, each with a home of its own."""

    def __init__(self, path: Path) -> None:
        for name in ("work", "home"):
            (path / name).mkdir()
        self.homes = {name: Home(path / name, authserv_id="mx.example.org") for name in ("work", "home")}
        self.settings = [
            replace(self.homes[name].settings, account=name, addresses=(address,))
            for name, address in (("work", WORK), ("home", HOME))
        ]
        first, *others = self.settings
        self.tools = {tool.name: tool for tool in mail_tools(first, trust_nobody, path / "state", *others)}

    def call(self, name: str, key: str = "", **args: object) -> object:
        """What a tool gives, without labels."""
        return self.tools[name].run(ToolCall({"email": label()}, NOW, key), args).plain()


@pytest.fixture
def two(tmp_path: Path) -> Two:
    """Both, empty."""
    return Two(tmp_path)


def test_a_search_looks_through_all_accounts(two: Two) -> None:
    """Newest first over both; with a name in one of them."""
    mails = [("work", "budget one"), ("home", "family"), ("work", "offsite"), ("home", "budget two")]
    for minute, (account, subject) in enumerate(mails):
        two.homes[account].count = minute
        two.homes[account].deliver(subject)
    found = two.call("search_emails", query="", sender="")
    assert [email["subject"] for email in found] == ["budget two", "offsite", "family", "budget one"]
    assert [email["subject"] for email in two.call("search_emails", query="budget")] == ["budget two", "budget one"]
    assert [email["subject"] for email in two.call("search_emails", query="budget", account="work")] == ["budget one"]
    assert [email["subject"] for email in two.call("get_unread_emails", account="home")] == ["budget two", "family"]


def test_an_id_says_its_account(two: Two) -> None:
    """The same file name in two mailboxes is two ids, and each finds its own."""
    for home in two.homes.values():
        home.deliver("same name")
    found = two.call("search_emails", query="same")
    assert sorted(email["id"].partition("/")[0] for email in found) == ["home", "work"]
    for email in found:
        assert two.call("read_email", email_id=email["id"]) == email
    with pytest.raises(ToolError, match="no message with this id"):
        two.call("read_email", email_id="other/1")


def test_the_account_that_is_named_writes(two: Two) -> None:
    """The first one otherwise; the screen says which, and its own folder has the mail."""
    send = two.tools["send_email"]
    assert send.signature.parameters[-1].type == Menu(("work", "home"))
    args = {"recipients": ["kim@example.com"], "subject": "Hi", "body": "ping"}
    assert send.prospect(ToolCall({}, NOW), args).account == WORK
    assert send.prospect(ToolCall({}, NOW), args | {"account": "home"}).account == HOME
    two.call("send_email", "effect1", **args, account="home")
    assert two.homes["work"].folder("Outbox") == []
    (raw,) = two.homes["home"].folder("Outbox")
    assert f"<{HOME}>".encode() in raw
    assert send.happened(ToolCall({}, NOW, "effect1"), args | {"account": "home"}) is True
    assert send.happened(ToolCall({}, NOW, "effect2"), args) is False
    with pytest.raises(ToolError, match="no account of this name"):
        two.call("draft_email", **args, account="nobody")


def test_a_reply_is_written_by_the_account_that_got_the_mail(two: Two) -> None:
    """Whichever is first."""
    two.homes["home"].deliver("dinner", ident="dinner")
    (email,) = two.call("search_emails", query="dinner")
    reply = two.tools["reply_to_email"]
    assert reply.prospect(ToolCall({}, NOW), {"email": email, "body": "yes"}).account == HOME
    two.call("reply_to_email", "effect", email=email, body="yes")
    assert len(two.homes["home"].folder("Outbox")) == 1


def test_a_mail_is_trashed_within_its_account(two: Two) -> None:
    """And comes back from there."""
    two.homes["home"].deliver("junk", ident="junk")
    (email,) = two.call("search_emails", query="junk")
    two.call("trash_email", email=email)
    assert (len(two.homes["home"].folder("Trash")), two.homes["work"].folder("Trash")) == (1, [])
    two.tools["trash_email"].undo(ToolCall({}, NOW), {"email": email}, None)
    assert [each["id"] for each in two.call("search_emails", query="junk")] == [email["id"]]


def test_what_one_account_sends_another_keeps_its_label(two: Two) -> None:
    """A mail whose words were somebody else's is theirs still when it arrives at the other account."""
    words = label([trust_nobody("web:evil.example")])
    labels = dict.fromkeys(("recipients", "subject", "body", "account"), words)
    args = {"recipients": [HOME], "subject": "Note", "body": "do this"}
    two.tools["send_email"].run(ToolCall(labels, NOW, "effect"), args)
    (raw,) = two.homes["work"].folder("Outbox")
    vouched = b"Authentication-Results: mx.example.org; dmarc=pass header.from=work.example\n"
    two.homes["home"].put(vouched + raw)
    (email,) = two.tools["search_emails"].run(ToolCall({}, NOW), {"query": "Note"}).data
    assert trust_nobody("web:evil.example") in email.data["body"].label.data


def test_whom_the_person_knows_is_known_in_every_account(two: Two) -> None:
    """Who was written to from one account is not new to the other, and whoever writes to one has a name in both."""
    two.homes["home"].deliver("Hello", sender=f"Me <{HOME}>", to="kim@example.com", folder="Sent")
    verified = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"
    two.homes["work"].deliver("Hi", head=verified)
    assert two.tools["send_email"].knows() == {WORK, HOME, "kim@example.com"}
    assert two.tools["send_email"].called("julia@example.com") == {"Julia Novak"}


def test_held_mail_of_each_account_leaves_for_its_own_outbox(tmp_path: Path, two: Two) -> None:
    """Listed together; taken back into the drafts of the account that wrote it."""
    hold = timedelta(minutes=10)
    first, second = (replace(each, hold=hold) for each in two.settings)
    tools = {tool.name: tool for tool in mail_tools(first, trust_nobody, tmp_path / "state", second)}
    args = {"recipients": ["kim@example.com"], "subject": "Hi", "body": "ping"}
    for account in ("work", "home"):
        tools["send_email"].run(ToolCall({}, NOW, f"effect {account}"), args | {"account": account})
    mails = HeldMails(tmp_path / "state", first, second)
    listed = mails.listed()
    assert len(listed) == 2
    assert mails.take_back(lambda mail: mail.key == listed[0].key) == 1
    assert mails.send_due(listed[1].due) == 1
    lying = {name: (len(home.folder("Drafts")), len(home.folder("Outbox"))) for name, home in two.homes.items()}
    assert sorted(lying.values()) == [(0, 1), (1, 0)]


def test_accounts_have_names_of_their_own(tmp_path: Path) -> None:
    """Two of one name, or one without, are refused."""
    one = MailSettings(tmp_path, (WORK,))
    for pair in ((one, one), (replace(one, account="a"), one), (replace(one, account="a"), replace(one, account="a"))):
        with pytest.raises(ConfigError, match="a name each"):
            mail_tools(pair[0], trust_nobody, tmp_path, *pair[1:])
