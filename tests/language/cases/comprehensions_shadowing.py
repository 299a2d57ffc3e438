"""Names of a comprehension hide names outside and do not outlive it."""
x = "outer"
y = [1, 2]
answer([x for x in range(3)], x, [y for y in y], y, {x: y for x, y in [(1, 2)]}, x, y)
answer([x for x in [x]], [[x for x in "ab"] for _ in range(2)], [x for x in [1] for x in [x + 1]], x)
answer([x for x, y in [(1, 2)]], sum(y for y in y), x, y)
for x in [x for x in range(2)]:
    answer(x)
answer(x)
