"""Sets, seen only through sorting, length and membership."""
s = {3, 1, 2, 1, 1.0, True}
answer(sorted(s), len(s), 2 in s, 9 in s, sorted(set("hello")), len(set()), sorted({x % 3 for x in range(10)}))
s.add(5)
s.add(5)
answer(sorted(s), {1, 2} == {2, 1}, {1} == {1.0}, {1} != {2}, set([1, 2]) == {1, 2}, {(1, 2), (1, 2)} == {(1, 2)})
seen = set()
unique = []
for x in [3, 1, 3, 2, 1]:
    if x not in seen:
        seen.add(x)
        unique.append(x)
answer(unique, sorted(seen, reverse=True), sum(s), min(s), max(s))
s.clear()
answer(len(s), s)
if not s:
    answer("empty")
