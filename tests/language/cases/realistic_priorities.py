"""Mail sorted into priorities of an enumeration with rules in a table."""
from enum import Enum


class Priority(Enum):
    URGENT = 1
    NORMAL = 2
    LATER = 3


RULES = [
    (Priority.URGENT, lambda mail: "invoice" in mail.subject.lower() and mail.score > 5),
    (Priority.LATER, lambda mail: not mail.is_unread),
]


def priority_of(mail):
    return next((priority for priority, fits in RULES if fits(mail)), Priority.NORMAL)


board = {priority: [] for priority in Priority}
for mail in search("x"):
    board[priority_of(mail)].append(mail.subject)
for priority in Priority:
    subjects = board[priority]
    answer(f"{priority.name.title()} ({priority.value}): {', '.join(subjects) if subjects else '-'}")
match [p for p in Priority if board[p]]:
    case [Priority.URGENT, *others]:
        answer("something is urgent, and", len(others), "more kinds")
    case []:
        answer("nothing at all")
    case _:
        answer("nothing urgent")
