"""Lists, dicts, sets and arguments made by loops inside expressions."""
xs = range(6)
answer([x * x for x in xs], [x for x in xs if x % 2], [x for x in xs if x > 1 if x < 5], [(x, y) for x in "ab" for y in range(2)])
answer([[y for y in range(x)] for x in range(4)], [y for x in [[1, 2], [3]] for y in x], [x + y for x in xs if x for y in range(x) if y % 2])
answer({x: x**2 for x in xs}, {k: v for k, v in [("a", 1), ("a", 2)]}, sorted({x % 2 for x in xs}), {x: [y for y in range(x)] for x in (1, 2)})
answer(sum(x for x in xs), any(x > 4 for x in xs), all(x > 4 for x in xs), sorted(x % 3 for x in xs), max(len(w) for w in ["a", "bcd"]))
answer(list(x for x in "abc"), dict((x, 1) for x in "ab"), "".join(c for c in "a1b2" if c.isalpha()), [a + b for a, b in [(1, 2), (3, 4)]])
