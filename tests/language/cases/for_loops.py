"""Loops over every kind, with the name alive after the loop."""
for x in [1, 2]:
    pass
answer(x)
for c in "héy":
    answer(c)
for t in (1, "a", None):
    answer(t)
for k in {"a": 1}:
    answer(k)
for s in {7}:
    answer(s)
for i in range(0):
    answer("never")
for i in range(3):
    for j in range(i):
        answer(i, j)
for [a, b] in [(1, 2)]:
    answer(a, b, i, j)
for i, (a, b) in enumerate(zip("xy", [1, 2])):
    answer(i, a, b)
