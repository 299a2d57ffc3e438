"""Comprehensions call functions, close over names, and have targets of all shapes."""
def size(word):
    return len(word)


words = ["tea", "milk"]
answer([size(w) for w in words], {w: size(w) for w in words}, {size(w) for w in ["a", "b"]}, [f(3) for f in [lambda x: x + 1, lambda x: x * 2]])
answer([(a, b) for a, (b, _) in [(1, (2, 3)), (4, (5, 6))]], [first for first, *_ in ["abc", "de"]], [rest for _, *rest in [[1, 2, 3], [4]]])
answer({k: v for k, v in zip("ab", [1, 2])}, {v: k for k, v in {"x": 1}.items()}, [[y for y in range(x)] for x in range(4)])
def make(rows):
    factor = 10
    return [[cell * factor for cell in row if cell > limit] for row in rows for limit in [1]]


answer(make([[1, 2], [3]]), [x if x > 1 else -x for x in [0, 1, 2]], [x for x in range(20) if x % 2 if x % 3])
