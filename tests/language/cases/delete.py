"""del of names, items, keys, slices, several at once, nested."""
x = 1
del x
x = "again"
xs = [0, 1, 2, 3, 4, 5, 6, 7]
del xs[0]
del xs[-1], xs[1]
answer(xs)
del xs[1:3]
answer(xs)
del xs[:]
answer(xs, x)
d = {"a": 1, "b": {"c": 2, "d": [1, 2, 3]}}
del d["a"], d["b"]["d"][1]
answer(d)
del d["b"]["c"]
answer(d, len(d))
a, b, c = 1, 2, 3
del a, (b, c)
for key in list(d):
    del d[key]
answer(d)
try:
    del d["missing"]
except KeyError:
    answer("no such key")
try:
    del xs[0]
except IndexError:
    answer("no such place")
def inner():
    y = 1
    del y
    try:
        return y
    except NameError:
        return "gone"


answer(inner())
ys = [3, 1, 2]
while len(ys) > 1:
    del ys[ys.index(max(ys))]
answer(ys)
