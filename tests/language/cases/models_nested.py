"""Schema classes with defaults, nested models, lists of models, Field, and what is shared."""
from typing import Dict, List, Literal, Optional

from pydantic import BaseModel, Field


class Address(BaseModel):
    street: str
    city: str = "Paris"


class Person(BaseModel):
    """Somebody."""

    name: str
    age: Optional[int] = None
    address: Address = Address(street="Main St")
    tags: List[str] = []
    kind: Literal["friend", "work"] = "friend"
    score: float = Field(default=0.5, description="how close")
    notes: list[str] = Field(default_factory=list, description="anything")
    extra: Dict[str, int] = {}


class Team(BaseModel):
    lead: Person
    members: list[Person] = Field(default_factory=list)


ann = Person(name="Ann", age=30)
bob = Person(name="Bob", address=Address(street="Side St", city="Rome"), kind="work", tags=["a"])
ann.tags.append("changed")
ann.notes.append("x")
answer(ann)
answer(bob, Person(name="New").tags, Person(name="New").notes)
answer(ann.address.city, bob.address.street.upper(), ann.age + 1, bob.age or "unknown", ann.kind == "friend", bob.score * 2)
team = Team(lead=ann, members=[bob, Person(name="Cy")])
answer(len(team.members), [person.name for person in team.members if person.address.city == "Paris"], team.lead.name)
answer(team == Team(lead=ann, members=[bob, Person(name="Cy")]), team != Team(lead=bob), team.members[0] == bob, Team(lead=bob))
for member in [team.lead, *team.members]:
    answer(f"{member.name:<5}|{member.address.city}|{', '.join(member.tags) or '-'}")
def oldest(people: List[Person]) -> Person:
    return max(people, key=lambda person: person.age or 0)


answer(oldest([bob, ann]).name)
