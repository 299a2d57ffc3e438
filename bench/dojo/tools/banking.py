"""AgentDojo's banking tools, declared.

What the bank books (ids, dates, amounts, account numbers, the balance) and what it knows of its customer is the bank's. What a booked
payment is said to be for comes from its other side: of an incoming one from whoever paid, and of an outgoing one often enough from the shop
that was paid, which the record does not tell apart. Files are letters and bills: words of others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from agentdojo.default_suites.v1.tools.banking_client import Transaction

from armslength.events import Trust
from armslength.labels import PUBLIC, Label, Readers, label, steered
from armslength.policy.settings import PolicySettings
from armslength.schema import FLOAT, NONE, STR, Field, ListOf, Origin, RecordType
from armslength.tools.base import UNKNOWN, Prospect, Receivers, Role, Tool, ToolCall, names_in, receivers_in
from armslength.tools.listing import Listing, adding_to, listing_among
from armslength.tools.usual import Usual, somebody
from armslength.values import Labelled, Plain
from bench.dojo.tools.shared import (
    Args,
    Held,
    Labelling,
    Provider,
    described,
    done,
    listed,
    plain,
    plainly,
    record,
    record_of,
)

SUITE = "banking"
BANK = "bank"
"""The bank as a receiver and reader. It has what it recorded itself."""
TRUSTED = frozenset({f"store:{SUITE}"})
NOW = datetime(2022, 3, 31, 9, 0, tzinfo=UTC)
"""After the last booked payment, before the first scheduled one."""
SETTINGS = PolicySettings(user_name="Emma Johnson", addresses=("DE89370400440532013000",))
"""Her name and her own account."""

TRANSACTION = described(
    record_of(Transaction),
    sender='an IBAN, or "me"',
    recipient='an IBAN, or "me"',
    date='"YYYY-MM-DD"',
)
USER_INFO = RecordType("UserInfo", tuple(Field(name, STR) for name in ("first_name", "last_name", "street", "city")))
_PAYER, _PAYEE = "the payer of a transaction", "the payee of a transaction"


def declared(world: Held, trust: Trust) -> list[Tool]:
    """Every tool of the suite."""
    bank = _Bank(world, trust)
    return [*_account_tools(bank), *_payment_tools(bank), *_customer_tools(bank), _read_file(bank)]


class _Bank(Provider):
    """Labels of what the bank holds."""

    def __init__(self, world: Held, trust: Trust) -> None:
        super().__init__(SUITE, world, trust)
        # The bank has what it recorded; nobody else has.
        self.known = label([self.store], readers=Readers(frozenset({BANK})))
        # Whoever pays in adds a payment to those that are listed and moves others along. Nobody's words are compared for that.
        self.booked = listing_among(self.store, [label([adding_to(SUITE)])], steer=PUBLIC)
        # Only who holds the account schedules payments.
        self.scheduled = Listing(label(), self.known)

    def transactions(self, found: list[Transaction], *, is_booked: bool) -> Labelled:
        """The list of these."""
        pick = self.booked if is_booked else self.scheduled
        items = (self._transaction(each, pick, is_booked=is_booked) for each in found)
        return listed(items, self.world.read("transactions", pick.shape, self.store))

    def _transaction(self, found: Transaction, pick: Listing, *, is_booked: bool) -> Labelled:
        """One of them, and whose words each of its fields is."""
        is_incoming = found.recipient in ("me", self.world.environment.bank_account.iban)
        other = found.sender if is_incoming else found.recipient
        known, shared, subject = self.parts(f"{SUITE}:{other}", other.lower(), is_booked=is_booked)
        labels = {each: self._read(found.id, part, pick) for each, part in _fields(known, shared, subject).items()}
        return record(found, TRANSACTION, self._read(found.id, known, pick), labels)

    def parts(self, who: str, *readers: str, is_booked: bool) -> tuple[Label, Label, Label]:
        """Labels of what the bank alone has, of what the other side has too, and of what the payment is said to be for.

        A scheduled payment is not made yet: its other side knows nothing of it, and its words are whoever's who scheduled it.
        """
        if not is_booked:
            return self.known, self.known, self.known
        both = Readers(frozenset({BANK, *readers}))
        return self.known, label([self.store], readers=both), self.by(who, readers=both)

    def _read(self, number: int, default: Label, pick: Listing) -> Label:
        """What this run paid or scheduled keeps the labels of the arguments."""
        return steered(self.world.read(_key(number), default, self.store), pick.gain)

    def paid(self) -> frozenset[str]:
        """The accounts that the user paid, or is to pay, without this run: whom he deals with."""
        account = self.world.environment.bank_account
        own = ("me", account.iban)
        return frozenset(
            each.recipient.lower()
            for each in (*account.transactions, *account.scheduled_transactions)
            if each.sender in own and _key(each.id) not in self.world.written
        )

    def usual(self, where: str, *, is_booked: bool) -> Usual:
        """The labels of a listing's transactions."""
        pick = self.booked if is_booked else self.scheduled
        parts = self.parts(f"{SUITE}:somebody", somebody(_PAYER, where), somebody(_PAYEE, where), is_booked=is_booked)
        known, shared, subject = (steered(each, pick.gain) for each in parts)
        known_as = {"sender": _PAYER, "recipient": _PAYEE}
        return Usual(known, _fields(known, shared, subject), shape=pick.shape, known_as=known_as)


def _fields(known: Label, shared: Label, subject: Label) -> dict[str, Label]:
    """The fields' labels. Its number and whether it comes again is the bank's affair with its customer; the rest both sides have."""
    return {
        "id": known,
        "recurring": known,
        **dict.fromkeys(("sender", "recipient", "amount", "date"), shared),
        "subject": subject,
    }


def _key(number: int) -> str:
    return f"transaction {number}"


def _account_tools(bank: _Bank) -> list[Tool]:
    def booked(_call: ToolCall, _args: Args, result: list[Transaction]) -> Labelled:
        return bank.transactions(result, is_booked=True)

    def scheduled(_call: ToolCall, _args: Args, result: list[Transaction]) -> Labelled:
        return bank.transactions(result, is_booked=False)

    return [
        bank.known_tool("get_iban", STR, reads="account"),
        # What others paid in is in the balance, but booked: a number of the bank's.
        bank.known_tool("get_balance", FLOAT, reads="payments"),
        bank.tool(
            "get_most_recent_transactions",
            ListOf(TRANSACTION),
            booked,
            origin=Origin("tool"),
            roles={"n": Role.QUERY},  # how many
            reads="payments",
            picks=True,  # stored payments, whole
            fails_by=(),
            usually=lambda _args, where: bank.usual(where, is_booked=True),
        ),
        bank.tool(
            "get_scheduled_transactions",
            ListOf(TRANSACTION),
            scheduled,
            origin=Origin("tool", is_trusted=True),
            reads="scheduled payments",
            picks=True,
            fails_by=(),
            usually=lambda _args, where: bank.usual(where, is_booked=False),
        ),
    ]


_PAYMENT_ROLES = {"subject": Role.CONTENT}
"""The words go to whoever is paid. Whom, how much, when and how often decide what is done, so they are targets, as all that is not given."""


def _payment_tools(bank: _Bank) -> list[Tool]:
    """What pays. AgentDojo's functions answer with a sentence made of the arguments: nothing is learnt of it, so nothing waits for it.

    No payment comes back by itself, and none is allowed beforehand.
    """
    paying = bank.tool(
        "send_money",
        NONE,
        _noting(bank, lambda account: account.transactions[-1].id),
        origin=Origin("tool", is_trusted=True),
        roles=_PAYMENT_ROLES,
        changes="payments",
        receivers=receivers_in("recipient"),  # who is paid sees it on his own statement
        summary=lambda _args: "send money",
    )
    scheduling = bank.tool(
        "schedule_transaction",
        NONE,
        _noting(bank, lambda account: account.scheduled_transactions[-1].id),
        origin=Origin("tool", is_trusted=True),
        roles=_PAYMENT_ROLES,
        changes="scheduled payments",
        receivers=receivers_in("recipient"),
        summary=lambda _args: "schedule a payment",
    )
    independent = (replace(each, is_independent=True) for each in (paying, scheduling))
    return [replace(each, deals_with=bank.paid) for each in (*independent, _updating(bank))]


def _noting(bank: _Bank, number: Callable[[Any], int]) -> Labelling:
    """What was paid or scheduled keeps the labels of what it was made of."""

    def labelled(call: ToolCall, args: Args, result: Any) -> Labelled:
        bank.world.note(_key(number(bank.world.environment.bank_account)), call)
        bank.world.note("transactions", call)
        return done(call, args, result)

    return labelled


def _updating(bank: _Bank) -> Tool:
    def labelled(call: ToolCall, args: Args, result: Any) -> Labelled:
        bank.world.note(f"transaction {args['id']}", call)
        return done(call, args, result)

    def receivers(args: Args) -> Receivers:
        """Who will be paid: the new payee, or the one that it has."""
        found = _found(bank.world.environment, args)
        if args.get("recipient"):
            return receivers_in("recipient")(args)
        return UNKNOWN if found is None else receivers_in("recipient")({"recipient": found.recipient})

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        """The payment as it is and as it would be: the arguments name it by a number only."""
        found, left = _found(bank.world.environment, args), bank.tried("update_scheduled_transaction", args)
        if found is None or left is None:
            return Prospect("a scheduled payment")
        whose = names_in(bank.world.read(_key(found.id), bank.known, bank.store))
        holds = tuple(name for name in ("recipient", "subject", "date") if args.get(name))
        return Prospect("a scheduled payment", _drawn(found), _drawn(_found(left, args)), whose, holds)

    made = bank.tool(
        "update_scheduled_transaction",
        NONE,
        labelled,
        origin=Origin("tool", is_trusted=True),
        roles=_PAYMENT_ROLES,
        reads="scheduled payments",
        changes="scheduled payments",
        receivers=receivers,
        summary=lambda _args: "change a scheduled payment",
    )
    return replace(made, prospect=prospect, usual_receivers=_usual_payee)


def _usual_payee(args: Mapping[str, Plain]) -> Receivers:
    return receivers_in("recipient")({"recipient": args.get("recipient") or _PAYEE})


def _found(environment: Any, args: Args) -> Transaction | None:
    scheduled: list[Transaction] = environment.bank_account.scheduled_transactions
    return next((each for each in scheduled if each.id == args.get("id")), None)


def _drawn(found: Transaction | None) -> str:
    return "".join(f"{name}: {part}\n" for name, part in plain(found).items())


def _customer_tools(bank: _Bank) -> list[Tool]:
    """What the bank knows of its customer, who told it; and changes of that, which the bank learns."""

    def known(_call: ToolCall, _args: Args, result: Any) -> Labelled:
        return plainly(result, USER_INFO, bank.world.read("customer", bank.known, bank.store))

    def updated(call: ToolCall, args: Args, result: Any) -> Labelled:
        bank.world.note("customer", call)
        return done(call, args, result)

    info = bank.tool(
        "get_user_info",
        USER_INFO,
        known,
        origin=Origin("tool", is_trusted=True),
        reads="customer",
        picks=True,
        fails_by=(),
        usually=lambda _args, _where: Usual(bank.known),
    )
    password = bank.tool(
        "update_password",
        NONE,  # AgentDojo's says that it is done
        done,
        origin=Origin("tool", is_trusted=True),
        roles={"password": Role.CONTENT},  # it goes to the bank; whose password it is, nothing in the call says
        changes="login",
        receivers=_the_bank,
        summary=lambda _args: "change the password of your bank account",
    )
    # AgentDojo's gives what get_user_info gives; so that the change waits with the others, this gives nothing.
    update = bank.tool(
        "update_user_info",
        NONE,
        updated,
        origin=Origin("tool", is_trusted=True),
        roles=dict.fromkeys(("first_name", "last_name", "street", "city"), Role.CONTENT),
        changes="customer",
        receivers=_the_bank,
        summary=lambda _args: "change what the bank knows of you",
    )
    return [info, password, update]


def _the_bank(_args: Args) -> Receivers:
    return Receivers((BANK,))


def _read_file(bank: _Bank) -> Tool:
    return bank.tool(
        "read_file",
        STR,
        # A bill, a notice: whoever wrote it, no record says.
        lambda _call, args, result: plainly(result, STR, bank.by(f"file:{args['file_path']}")),
        origin=Origin("file"),
        roles={"file_path": Role.QUERY},
        reads="files",
        picks=True,
        fails_by=(),  # a file that is not there reads as empty
        usually=lambda args, _where: Usual(bank.by(f"file:{args.get('file_path', '*')}")),
    )
