"""Further methods: remove, key= of sort, popitem, fromkeys, pop with a default, update by pairs and names, index in a range."""
xs = [3, 1, 2, 1]
xs.remove(1)
answer(xs, xs.index(1, 1), xs.index(2, 0, 3), xs.count(1))
try:
    xs.remove(99)
except ValueError:
    answer("not there")
xs.sort(key=lambda x: -x)
answer(xs, xs.pop(), xs.pop(0), xs)
d = dict.fromkeys(["a", "b"], 0)
d.update([("c", 3)], d=4)
d.update(e=5)
answer(d, d.pop("zz", "default"), d.pop("a"), d.popitem(), list(d), "b" in d.keys(), 3 in d.values(), ("b", 0) in d.items())
answer(dict.fromkeys("xy"), list(reversed(d)), dict([("k", 1)], m=2), dict(a=1, b=2), {**d}.get("none"), d.items() == {"b": 0, "c": 3, "d": 4}.items())
d.setdefault("list", []).append(1)
d.setdefault("list", []).append(2)
answer(d["list"], len(d), max(d.items(), key=lambda kv: str(kv[1]))[0], {v: k for k, v in {"a": 1}.items()})
answer([1, 2] < [1, 3], [[1], [2]] == [[1], [2]], [1] + [2] * 2, list("ab") * 2, [0] * 3, [None] * 2, sorted([[2, 1], [1, 9]]), (1, [2]) == (1, [2]))
stack = [1]
stack.append(2)
stack.extend(x for x in (3, 4))
while stack:
    answer(stack.pop())
