"""Annotations are read past."""
count: int = 0
names: list[str] = ["a"]
lookup: dict[str, list[int]] = {"k": [1]}
maybe: Optional[str] = None
wrong: int = "text"
answer(count, names, lookup, maybe, wrong)
