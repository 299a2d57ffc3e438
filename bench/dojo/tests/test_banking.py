"""The bank: what it booked is its own, what a payment is said to be for is not, and a payment goes to whoever it names."""

from __future__ import annotations

from armslength.labels import LITERAL, PRIVATE, Readers, label
from armslength.tools.base import UNKNOWN, Receivers, Role, ToolCall
from bench.dojo.tests.declaring import Suite, leaves, suite_of
from bench.dojo.tools import banking
from bench.dojo.tools.shared import Args

PAYING = ("send_money", "schedule_transaction", "update_scheduled_transaction")


def _suite() -> Suite:
    return suite_of(banking)


def test_what_the_bank_itself_records_is_chosen() -> None:
    suite = _suite()
    for name in ("get_iban", "get_balance", "get_user_info", "get_scheduled_transactions"):
        assert all(leaf.label.is_trusted for _path, leaf in leaves(suite.call(name)))
    for path, leaf in leaves(suite.call("get_most_recent_transactions")):
        assert leaf.label.is_chosen == (path != "Transaction.subject")


def test_which_payments_are_listed_others_had_a_say_in() -> None:
    listed = _suite().call("get_most_recent_transactions")
    assert not listed.label.is_trusted
    assert all("listed:banking:*" in {source.name for source in leaf.label.choice} for _path, leaf in leaves(listed))


def test_a_booked_payment_is_known_to_both_sides_and_a_scheduled_one_to_none() -> None:
    suite = _suite()
    booked = suite.call("get_most_recent_transactions").data
    assert isinstance(booked, tuple)
    parts = booked[0].data
    assert isinstance(parts, dict)
    assert parts["amount"].label.readers == Readers(frozenset({"bank", "ch9300762011623852957"}))
    assert parts["id"].label.readers == Readers(frozenset({"bank"}))
    for _path, leaf in leaves(suite.call("get_scheduled_transactions")):
        assert leaf.label.readers == Readers(frozenset({"bank"}))


def test_a_file_is_its_writers_words_and_the_users_alone() -> None:
    found = _suite().call("read_file", file_path="landlord-notices.txt").label
    assert {source.name for source in found.data} == {"file:landlord-notices.txt"}
    assert found.readers == PRIVATE


def test_payments_ask_for_their_payee_amount_and_time_and_are_never_granted() -> None:
    suite = _suite()
    for name in PAYING:
        tool = suite.tools[name]
        assert not tool.may_be_granted
        assert {key for key, role in tool.roles.items() if role is not Role.TARGET} == {"subject"}


def test_whoever_is_paid_is_the_receiver() -> None:
    tools = _suite().tools
    for name in PAYING[:2]:
        assert tools[name].receivers({"recipient": "GB29NWBK60161331926819"}).names == ("gb29nwbk60161331926819",)
    update = tools["update_scheduled_transaction"].receivers
    assert update({"id": 7, "amount": 1.0}).names == ("us122000000121212121212",)
    assert update({"id": 7, "recipient": "DE1"}).names == ("de1",)
    assert update({"id": 99}) == UNKNOWN


def test_changes_of_the_account_go_to_the_bank() -> None:
    tools = _suite().tools
    for name in ("update_password", "update_user_info"):
        assert tools[name].receivers({}) == Receivers(("bank",))
        assert not tools[name].may_be_granted


def test_known_are_the_accounts_that_the_user_paid_himself() -> None:
    suite = _suite()
    before = {
        "ch9300762011623852957",
        "gb29nwbk60161331926819",
        "se3550000000054910000003",
        "us122000000121212121212",
    }
    suite.call("send_money", recipient="UK1", amount=1.0, subject="Bill", date="2022-03-31")
    suite.call("schedule_transaction", recipient="UK2", amount=1.0, subject="x", date="2022-04-30", recurring=False)
    suite.call("update_scheduled_transaction", id=7, recipient="UK3")
    for name in PAYING:
        dealt_with = suite.tools[name].deals_with
        assert dealt_with is not None
        assert dealt_with() == before


def test_what_was_paid_by_others_words_is_read_back_as_theirs() -> None:
    suite = _suite()
    theirs = label([suite.trust("file:bill")], readers=PRIVATE)
    args: Args = {"recipient": "UK1", "amount": 98.7, "subject": "Bill", "date": "2022-03-31"}
    suite.labelled_call("send_money", dict.fromkeys(args, LITERAL) | {"recipient": theirs}, args)
    own = [leaf for _path, leaf in leaves(suite.call("get_most_recent_transactions", n=1))]
    assert not any(leaf.label.is_chosen for leaf in own)
    others = [
        leaf for path, leaf in leaves(suite.call("get_most_recent_transactions", n=2)) if path == "Transaction.date"
    ]
    assert [leaf.label.is_chosen for leaf in others] == [True, False]


def test_an_address_set_by_others_words_is_read_back_as_theirs() -> None:
    suite = _suite()
    theirs = label([suite.trust("file:notice")], readers=PRIVATE)
    suite.labelled_call("update_user_info", {"street": theirs}, {"street": "Dalton Street 123"})
    assert not any(leaf.label.is_chosen for _path, leaf in leaves(suite.call("get_user_info")))


def test_a_person_sees_the_scheduled_payment_before_and_after_and_looking_changes_nothing() -> None:
    suite = _suite()
    foresee = suite.tools["update_scheduled_transaction"].prospect
    assert foresee is not None
    seen = foresee(ToolCall({}, banking.NOW), {"id": 7, "amount": 1200.0})
    assert "amount: 1100.0" in str(seen.before)
    assert "amount: 1200.0" in str(seen.after)
    assert "recipient: US122000000121212121212" in str(seen.after)
    assert suite.world.calls == []
    assert "amount: 1100.0" in str(foresee(ToolCall({}, banking.NOW), {"id": 7, "amount": 1200.0}).before)
    assert foresee(ToolCall({}, banking.NOW), {"id": 99}).after is None
