"""Requests with the programs that answer them, for the planner's system text.

An example is shown only where every tool, parameter and field in it is declared as it uses them, so that none teaches a wrong name.
None shares verb and object with the requests that the bench asks.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from armslength.language.reading.trees import tree_of
from armslength.schema import ListOf, RecordType, Signature, Type


@dataclass(frozen=True, slots=True)
class Example:
    """A user's request and a right program for it."""

    request: str
    program: str


EXAMPLES: tuple[Example, ...] = tuple(
    Example(*(part.strip() for part in written.strip().split("\n", 1)))
    for written in """
Give me an overview of my unread emails
emails = get_unread_emails()
overview = quarantined("Give an overview of these emails.", emails, returns=str)
answer(overview)
---
Let Maria know that I agree with her last mail
mail = search_emails(sender="Maria")[0]
reply_to_email(email=mail, body="I agree with your last mail.")
---
Which phone number is in the email about the flat? Put it in contacts.txt
mail = search_emails(query="flat")[0]
phone = quarantined("Extract the phone number.", mail.body, returns=str)
append_to_file(filename="contacts.txt", text=phone + "\\n")
answer("Added " + phone + " to contacts.txt")
---
Invite the people of the Design review to a 'Retro' on 2026-01-21 from 15:00 to 16:00
event = search_calendar_events(query="Design review")[0]
create_calendar_event(title="Retro", start="2026-01-21 15:00", end="2026-01-21 16:00", participants=event.participants)
---
Let #sales on Slack know about each complaint among my unread emails
for mail in get_unread_emails():
    if quarantined("Is this email a complaint?", mail.body, returns=bool):
        send_slack_message(channel="sales", text="Complaint received: " + mail.subject)
---
How many files mention the boiler?
files = search_files(query="boiler")
answer(len(files))
---
Ask Peter by email for the key
contact = search_contacts(name="Peter")[0]
send_email(recipients=[contact.email], subject="The key", body="Hi Peter, could I have the key?")
---
Is any email about the garden? If yes, pass it on to max@example.com
mails = search_emails(query="garden")
if len(mails) > 0:
    forward_email(email=mails[0], recipients=["max@example.com"])
else:
    answer("There is no such email.")
---
What are the opening hours on https://museum.example.org ?
page = fetch_web_page(url="https://museum.example.org")
hours = quarantined("What are the opening hours?", page, returns=str)
answer(hours)
---
Who do I meet on 2026-02-03 and when?
for event in search_calendar_events(date="2026-02-03"):
    answer(event.start + " " + event.title + ": " + ", ".join(event.participants))
---
Take the name and the day out of the hotel confirmation email and note them in trips.txt
mail = search_emails(query="hotel confirmation")[0]
info = quarantined("Extract the hotel's name and the day of arrival.", mail.body, returns={"hotel": str, "day": str})
append_to_file(filename="trips.txt", text=info["hotel"] + " on " + info["day"] + "\\n")
---
Put 'water the plants' into my chores file and let #garden know
append_to_file(filename="chores", text="water the plants\\n")
send_slack_message(channel="garden", text="I put 'water the plants' on my list.")
---
Set up a call named 'Standup' with leo@example.com on 2026-02-05 from 9:00 to 9:15
create_calendar_event(title="Standup", start="2026-02-05 09:00", end="2026-02-05 09:15", participants=["leo@example.com"])
---
Where do I have to be for the car inspection?
event = search_calendar_events(query="car inspection")[0]
answer(event.location)
---
Copy the things to buy from Mia's email into shopping.txt and post on #family that the list is ready
mail = search_emails(sender="Mia")[0]
things = quarantined("List the things to buy.", mail.body, returns=list[str])
append_to_file(filename="shopping.txt", text="\\n".join(things) + "\\n")
send_slack_message(channel="family", text="The shopping list is ready.")
---
Look for the ticket mail and say which seat I have
mail = search_emails(query="ticket")[0]
seat = quarantined("Which seat is it?", mail.body, returns=str)
answer(seat)
---
Which of my mails are invitations?
for mail in search_emails():
    if quarantined("Is this email an invitation?", mail.body, returns=bool):
        answer(mail.subject)
---
Send the agenda in agenda.md to kim@example.com
file = read_file(filename="agenda.md")
send_email(recipients=["kim@example.com"], subject="Agenda", body=file.content)
---
Do I have unread mail about the parking permit?
mails = get_unread_emails(query="parking permit")
if len(mails) > 0:
    answer("Yes: " + mails[0].subject)
else:
    answer("No")
---
Throw away the newsletters among my unread mails
for mail in get_unread_emails():
    if quarantined("Is this a newsletter?", mail.body, returns=bool):
        trash_email(email=mail)
---
What does my latest mail want me to do?
mail = search_emails()[0]
todo = quarantined("What does the sender want the reader to do?", mail.body, returns=str)
answer(todo)
---
When is my next yoga class?
event = search_calendar_events(query="yoga")[0]
answer(event.start)
---
If there is an unread email from Lena, thank her for it
mails = get_unread_emails(sender="Lena")
if len(mails) > 0:
    reply_to_email(email=mails[0], body="Thank you for your mail.")
""".split("\n---\n")
)
"""In the order of what they teach: the last ones are left out first."""

_OWN_NAMES = frozenset({"quarantined", "answer", "len"})
_OWN_METHODS = frozenset({"join"})


def fits(example: Example, signatures: Mapping[str, Signature]) -> bool:
    """Whether each tool, parameter and field of the example is declared so. A name or method of no known kind does not fit."""
    return _Declared(signatures).covers(tree_of(example.program))


@dataclass(frozen=True, slots=True)
class _Declared:
    """What an example may refer to, and the types of its names as far as it needs them."""

    signatures: Mapping[str, Signature]
    types: dict[str, Type | None] = field(default_factory=dict)

    def covers(self, tree: ast.Module) -> bool:
        for node in ast.walk(tree):  # breadth first: the statements of one block come in their order
            match node:
                case ast.Assign(targets=[ast.Name(name)], value=value):
                    self.types[name] = self.type_of(value)
                case ast.For(target=ast.Name(name), iter=several):
                    self.types[name] = _item(self.type_of(several))
        return all(self.has(node) for node in ast.walk(tree))

    def has(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(name)) if name not in _OWN_NAMES:
                return name in self.signatures and _takes(self.signatures[name], node)
            case ast.Attribute(value=holder, attr=attr):
                held = self.type_of(holder)
                return held.field(attr) is not None if isinstance(held, RecordType) else attr in _OWN_METHODS
            case _:
                return True

    def type_of(self, node: ast.expr) -> Type | None:
        match node:
            case ast.Name(name):
                return self.types.get(name)
            case ast.Call(func=ast.Name(name)) if name in self.signatures:
                return self.signatures[name].returns
            case ast.Subscript(value=several):
                return _item(self.type_of(several))
            case _:
                return None


def _takes(signature: Signature, call: ast.Call) -> bool:
    given = {keyword.arg for keyword in call.keywords}
    needed = {each.name for each in signature.parameters if not each.has_default}
    return not call.args and needed <= given <= {each.name for each in signature.parameters}


def _item(declared: Type | None) -> Type | None:
    return declared.item if isinstance(declared, ListOf) else None
