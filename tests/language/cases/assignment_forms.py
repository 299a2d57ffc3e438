"""Chained, annotated, nested, swapped, to items, from functions; which comes first."""
a = b = c = []
a.append(1)
answer(a, b is c)
x = y = 0
x += 1
answer(x, y)
p = q, r = 1, 2
answer(p, q, r)
[s, t] = (u, v) = "xy"
answer(s, t, u, v)
count: int = 3
ratio: float = 0.5
names: list[str] = []
names.append("x")
table: dict[str, list[int]] = {"k": [1]}
answer(count, ratio, names, table)
first, second = second, first = 1, 2
answer(first, second)
d = {}
d["a"] = d["b"] = []
d["a"].append(1)
answer(d)
(i, j), k = [1, 2], 3
i, j, k = k, i, j
answer(i, j, k)
xs = [1, 2, 3]
xs[0], xs[-1] = xs[-1], xs[0]
answer(xs)
n = 2
n, square = n + 1, n * n
answer(n, square)
declared: str
declared = "later"
answer(declared)
def local():
    inner: int = 5
    other: "list[str]"
    other = [str(inner)]
    return other


answer(local())
