"""Dicts: making, reading, changing, order of insertion, keys that are equal."""
d = {"b": 1, "a": 2}
d["c"] = 3
d["b"] = 9
answer(d, len(d), d["a"], list(d), "a" in d, "z" in d, "z" not in d)
answer({1: "a", 1.0: "b", True: "c"}, {0: 1, False: 2}, {"x": 1, "x": 2}, {}, {None: 0, (1, 2): 3, 1.5: 4})
answer({"a": 1, "b": 2} == {"b": 2, "a": 1}, {"a": 1} == {"a": 1.0}, {"a": 1} != {"a": 2}, {"a": [1]} == {"a": [1]})
e = dict(x=1, y="two")
f = dict([("k", "v"), ["l", "w"]])
g = dict(d, z=0)
h = dict()
g["b"] = 0
answer(e, f, g, h, d["b"])
