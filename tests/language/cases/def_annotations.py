"""Annotations of parameters and results are read past."""
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union


def pick(items: List[str], index: int = 0, *others: int, fallback: Optional[str] = None) -> Optional[str]:
    """One of them, or the fallback."""
    if index < len(items):
        return items[index]
    return fallback


def count(words: list[str]) -> Dict[str, int]:
    totals: Dict[str, int] = {}
    for word in words:
        totals[word] = totals.get(word, 0) + 1
    return totals


def nothing() -> None:
    return None


def pair(x: "int | None", y: Union[int, str] = 3) -> Tuple[Any, Any]:
    return x, y


def apply(f: Callable[[int], int], xs: Iterable[int]) -> list:
    return [f(x) for x in xs]


answer(pick(["a", "b"], 1), pick([], 3, fallback="none"), pick(["x"]), count(["a", "b", "a"]), nothing(), pair(None), pair(1, "2"))
answer(apply(abs, [-1, 2, -3]))
limit: int = 5
names: list[str] = ["x"]
maybe: Optional[float] = None
answer(limit, names, maybe)
