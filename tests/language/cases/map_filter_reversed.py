"""map, filter, reversed: as lists, in loops, joined, nested, with several sequences."""
answer(list(map(str, [1, 2, 3])), list(map(len, ["a", "bb"])), list(map(lambda a, b: a + b, [1, 2], [10, 20, 30])))
answer(list(filter(None, [0, 1, "", "x", None, []])), list(filter(lambda x: x % 2, range(6))), list(filter(str.isdigit, ["1", "a", "22"])))
answer(list(reversed([1, 2, 3])), list(reversed("abc")), list(reversed(range(3))), list(reversed((1, 2))), "".join(reversed("stressed")))
answer(", ".join(map(str, range(3))), sum(map(int, "123")), max(map(len, ["a", "bbb"])), sorted(map(abs, [-3, 1])), set(map(str.lower, "aA")) == {"a"})
for name in map(str.title, ["ann", "bob"]):
    answer(name)
for i, x in enumerate(reversed(["a", "b"])):
    answer(i, x)
for key in reversed({"x": 1, "y": 2}):
    answer(key)
answer(list(map(lambda pair: f"{pair[0]}={pair[1]}", {"a": 1}.items())), dict(map(lambda x: (x, x * x), range(3))), tuple(map(bool, [0, 1])))
answer(list(zip(map(str, [1, 2]), filter(None, [0, 7, 8]), reversed("xy"))), any(map(str.isupper, ["a", "B"])), all(filter(None, [1, 2])))
a, b = map(int, "3 4".split())
first, *rest = filter(lambda x: x > 1, [1, 2, 3, 4])
answer(a + b, first, rest, 2 in map(int, "123"), list(map(max, [1, 5], [4, 2])))
names = [name for name in map(lambda mail: mail.sender.split("@")[0], search("x"))]
answer(names, list(map(str.upper, filter(lambda n: n != "bob", names))))
