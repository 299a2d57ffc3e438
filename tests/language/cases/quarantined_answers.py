"""Questions to the quarantined model give values of the type that was asked for."""
class Item(BaseModel):
    name: str
    amount: int


text = quarantined("Sum up", "some text")
number = quarantined("How many?", "text", returns=int)
flag = quarantined("Is it?", "text", returns=bool)
kind = quarantined("Which?", "text", returns=Literal["low", "high"])
names = quarantined("Who?", "a", "b", returns=list[str])
maybe = quarantined("When?", "x", returns=Optional[str])
items = quarantined("What?", "x", returns=list[Item])
one = quarantined(instruction="One?", data="x", returns=Item)
rate = quarantined("Rate?", "x", returns=float)
answer(text, number + 1, not flag, kind == "low", names, maybe is None, items[0].name, items[0].amount * 2, one, rate / 2)
for item in items:
    answer(f"{item.name}: {item.amount:>5}")
