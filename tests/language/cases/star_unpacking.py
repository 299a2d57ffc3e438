"""Stars in targets, literals, calls, subscripts of tuples, loops."""
first, *rest = [1, 2, 3]
*start, last = "abc"
head, *middle, tail = (1, 2, 3, 4, 5)
a, *empty = ["only"]
(b, *c), *d = [[1, 2], 3, 4]
*all_of_them, = range(3)
[x, *y] = {"k": 1, "l": 2}
answer(first, rest, start, last, head, middle, tail, a, empty, b, c, d, all_of_them, x, y)
xs, ys = [1, 2], (3, 4)
answer([*xs, *ys], (*xs, 9), {*xs, *ys} == {1, 2, 3, 4}, [0, *xs, 0, *"ab"], [*range(3)], [*{}], [*xs] is xs)
for name, *marks in [("Ann", 1, 2), ("Bob",), ["Cy", 3]]:
    answer(name, marks, sum(marks))
def spread(a, b, c=0):
    return [a, b, c]


answer(spread(*xs), spread(*xs, 3), spread(0, *xs), spread(*"xy", c="z"), max(*xs, *ys), list(zip(*[(1, "a"), (2, "b")])))
def several():
    return 1, *xs, 2


answer(several(), *xs)
_, *fields, _ = "id,name,mail,x".split(",")
answer(fields)
matrix = [[1, 2], [3, 4]]
answer([list(column) for column in zip(*matrix)], [*map(str, xs)], [*reversed(xs)], [*(n * 2 for n in xs)])
target = {"k": None}
target["k"], *others = ["value", "x", "y"]
answer(target, others)
