"""Each mail is sorted by a question to the quarantined model; what is done depends on the answer's kind."""
from typing import List, Literal, Optional

from pydantic import BaseModel, Field


class Reading(BaseModel):
    """What a mail asks for."""

    kind: Literal["question", "task", "other"]
    summary: str = Field(description="one sentence")
    days: Optional[int] = None
    people: List[str] = Field(default_factory=list)


actions = []


def handle(mail, reading):
    match reading:
        case Reading(kind="question", people=[first, *_]):
            return f"ask {first} about {mail.subject}"
        case Reading(kind="task", days=None):
            return f"some day: {reading.summary}"
        case Reading(kind="task", days=days) if days < 3:
            return f"soon: {reading.summary}"
        case _:
            return None


for mail in search("x", limit=2):
    reading = quarantined("What does this ask for?", mail.subject, returns=Reading)
    action = handle(mail, reading)
    if action is None:
        continue
    actions.append(action)
level = quarantined("How urgent is this?", *[mail.subject for mail in search("x")], returns=Literal["low", "high"])
dispatch = {"low": lambda items: f"{len(items)} things can wait", "high": lambda items: "; ".join(items)}
answer(dispatch[level](actions))
for number, action in enumerate(actions or ["nothing"], start=1):
    answer(f"{number}. {action}")
flags = [quarantined("Is it spam?", m.subject, returns=bool) for m in search("x")]
answer(all(flags), flags.count(True), sum(flags))
