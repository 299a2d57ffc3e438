"""Requests with the programs that answer them, for the planner's system text.

An example is shown only where every tool, parameter and field in it is declared as it uses them, so that none teaches a wrong name.
None shares verb and object with the requests that the bench asks.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

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
answer(quarantined("Give a short overview of these emails.", emails, returns=str))
---
Let Maria know that I agree with her last mail
mail = search_emails(sender="Maria")[0]
reply_to_email(email=mail, body="I agree with your last mail.")
---
Send the agenda in agenda.md to kim@example.com
file = read_file(filename="agenda.md")
send_email(recipients=["kim@example.com"], subject="Agenda", body=file.content)
---
Which phone number does Peter give in his email about the flat? Note it in contacts.txt
mail = search_emails(query="flat", sender="Peter")[0]
phone = quarantined("Which phone number does the sender give?", mail.body, returns=str)
append_to_file(filename="contacts.txt", text=phone + "\\n")
answer(phone)
---
Invite the people of the Design review to a 'Retro' on 2026-01-21 from 15:00 to 16:00
event = search_calendar_events(query="Design review")[0]
create_calendar_event(title="Retro", start="2026-01-21 15:00", end="2026-01-21 16:00", participants=event.participants)
---
Let #sales know about each complaint among my unread emails
for mail in get_unread_emails():
    if quarantined("Is this email a complaint?", mail.body, returns=bool):
        send_slack_message(channel="sales", text="Complaint received: " + mail.subject)
---
Put 'water the plants' into my chores file
append_to_file(filename="chores", text="water the plants\\n")
---
Where does my yoga class take place?
event = search_calendar_events(query="yoga")[0]
answer(event.location)
---
How many events do I have on 2026-02-02?
events = search_calendar_events(date="2026-02-02")
answer(len(events))
---
Ask Peter by email for the key
contact = search_contacts(name="Peter")[0]
send_email(recipients=[contact.email], subject="The key", body="Hi Peter, could I have the key?")
---
Is there a mail from Lena about the garden? If so, pass it on to max@example.com
mails = search_emails(query="garden", sender="Lena")
if len(mails) > 0:
    forward_email(email=mails[0], recipients=["max@example.com"])
else:
    answer("There is no such email.")
---
What are the opening hours on https://museum.example.org ?
page = fetch_web_page(url="https://museum.example.org")
answer(quarantined("What are the opening hours?", page, returns=str))
---
Who do I meet on 2026-02-03, and when?
for event in search_calendar_events(date="2026-02-03"):
    answer(event.start + " " + event.title + ": " + ", ".join(event.participants))
---
Note the hotel's name and the day of arrival from the hotel confirmation in trips.txt
mail = search_emails(query="hotel confirmation")[0]
stay = quarantined("Extract the hotel's name and the day of arrival.", mail.body, returns={"hotel": str, "day": str})
append_to_file(filename="trips.txt", text=stay["hotel"] + " on " + stay["day"] + "\\n")
---
Which mails from Lena have I not read yet?
for mail in get_unread_emails(sender="Lena"):
    answer(mail.subject)
---
Copy the things to buy from Mia's email into shopping.txt and let #family know that the list is ready
mail = search_emails(sender="Mia")[0]
things = quarantined("List the things to buy.", mail.body, returns=list[str])
append_to_file(filename="shopping.txt", text="\\n".join(things) + "\\n")
send_slack_message(channel="family", text="The shopping list is ready.")
---
Set up a call named 'Standup' with leo@example.com on 2026-02-05 from 9:00 to 9:15
create_calendar_event(title="Standup", start="2026-02-05 09:00", end="2026-02-05 09:15", participants=["leo@example.com"])
---
Did anybody mail me about the parking permit?
mails = search_emails(query="parking permit")
if len(mails) > 0:
    answer("Yes: " + mails[0].subject)
else:
    answer("No")
---
What does my latest mail want me to do?
mail = search_emails()[0]
answer(quarantined("What does the sender want the reader to do?", mail.body, returns=str))
---
By which day does the bank need the form?
mail = search_emails(query="form", sender="bank")[0]
day = quarantined("By which day is the form needed?", mail.body, returns=Optional[str])
if day is None:
    answer("The mail names no day.")
else:
    answer(day)
---
Which files mention the boiler?
for file in search_files(query="boiler"):
    answer(file.filename)
---
When do I see the dentist?
event = search_calendar_events(query="dentist")[0]
answer(event.start)
---
Throw away the newsletters among my unread mails
for mail in get_unread_emails():
    if quarantined("Which kind of mail is this?", mail.body, returns=Literal["newsletter", "other"]) == "newsletter":
        trash_email(email=mail)
---
Save an outline of plan.txt in outline.txt
file = read_file(filename="plan.txt")
outline = quarantined("Write an outline of this text.", file.content, returns=str)
write_file(filename="outline.txt", text=outline)
""".split("\n---\n")
)
"""In the order of what they teach: the last ones are left out first."""

_OWN_NAMES = frozenset({"quarantined", "answer", "len"})
_OWN_METHODS = frozenset({"join"})


def fits(example: Example, signatures: Mapping[str, Signature]) -> bool:
    """Whether each tool, parameter and field of the example is declared so. A name or method of no known kind does not fit."""
    tree = ast.parse(example.program)
    return _Declared(signatures).covers(tree)


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
