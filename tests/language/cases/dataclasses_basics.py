"""Dataclasses: positional and named arguments, defaults, factories, equality, text, nested, in containers."""
from dataclasses import dataclass, field
from typing import List, Optional


@dataclass
class Item:
    """A thing that was bought."""

    name: str
    price: float = 0.0
    count: int = 1


@dataclass
class Cart:
    owner: str
    items: List[Item] = field(default_factory=list)
    note: Optional[str] = None
    tags: dict = field(default_factory=dict)


tea = Item("tea", 2.5, count=4)
milk = Item(name="milk", price=1.25)
plain = Item("plain")
answer(tea, milk, plain, tea.name, tea.price * tea.count, [plain], f"{milk}", str(tea), repr(plain))
answer(tea == Item("tea", 2.5, 4), tea != milk, tea == "tea", milk in [tea, milk], tea is tea, isinstance(tea, Item), bool(tea))
cart, other = Cart("Ann"), Cart(owner="Bob", items=[tea], note="soon")
cart.items.append(tea)
cart.items.append(milk)
cart.tags["x"] = 1
answer(cart, other, len(other.items), other.tags, Cart("Ann") == Cart("Ann"), cart.note is None)
total = sum(item.price * item.count for item in cart.items)
answer(f"{total:.2f}", [item.name for item in sorted(cart.items, key=lambda item: item.price)], max(cart.items, key=lambda i: i.count).name)
def cheapest(items: List[Item]) -> Optional[Item]:
    return min(items, key=lambda item: item.price, default=None)


answer(cheapest(cart.items), cheapest([]))
by_name = {item.name: item for item in cart.items}
answer(by_name["milk"].price, sorted(by_name))
