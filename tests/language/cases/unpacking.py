"""Taking apart: tuples, lists, text, dicts, nested, swapping, several targets."""
a, b = 1, 2
a, b = b, a
(c, d), e = [3, 4], 5
[f, (g, h)] = "x", ("y", "z")
i, j, k = "abc"
l, m = {"first": 1, "second": 2}
n = o = [0]
(only,) = [7]
answer(a, b, c, d, e, f, g, h, i, j, k, l, m, n is o, only)
xs = [0, 0]
xs[0], xs[1] = 1, 2
d2 = {}
d2["a"], (d2["b"], q) = 1, (2, 3)
answer(xs, d2, q)
for x, (y, z) in [(1, (2, 3)), [4, "56"]]:
    answer(x, y, z)
