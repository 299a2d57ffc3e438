"""Generator expressions: as an argument, among others, as a value, nested, consumed once, unpacked."""
answer(sum(x * x for x in range(5)), any(x > 3 for x in range(5)), all(x < 3 for x in range(5)), max(len(w) for w in ["a", "bcd"]))
answer(sum((x for x in range(4)), 100), sorted((w.lower() for w in ["B", "a"]), reverse=True), max((x for x in []), default="none"))
answer(list(x for x in "abc"), tuple(x + x for x in "ab"), set(x % 2 for x in range(5)) == {0, 1}, dict((k, len(k)) for k in ["a", "bb"]))
gen = (x * 10 for x in range(4) if x != 2)
answer(next(gen), list(gen), list(gen))
answer(", ".join(str(x) for x in (y + 1 for y in range(3))), [list(c for c in row) for row in ["ab", "cd"]])
a, b, c = (x for x in [1, 2, 3])
first, *others = (x for x in "xyz")
answer(a, b, c, first, others, [*(x for x in range(2)), 9], len([*(x for x in "ab")]))
pairs = ((x, y) for x in range(3) for y in "ab" if x != 1)
for x, y in pairs:
    answer(x, y)
answer(list(enumerate(w for w in ["p", "q"])), list(zip((x for x in [1, 2]), (y for y in "ab"))), 3 in (x for x in range(5)))
total = 0
for value in (int(part) for part in "1 2 3".split()):
    total += value
answer(total, list((x for x in [])), sum(1 for _ in search("x")), "".join(c for c in "a1b2" if c.isalpha()))
def evens(limit):
    return (x for x in range(limit) if x % 2 == 0)


answer(list(evens(7)), sum(evens(5)))
