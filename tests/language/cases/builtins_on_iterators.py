"""Functions over what is consumed: enumerate with start, zip of unequal, sorted of a map, slices of lists of them."""
for number, (key, value) in enumerate({"a": 1, "b": 2}.items(), start=1):
    answer(number, key, value)
answer(list(zip([1, 2, 3], "ab")), dict(zip(["x", "y"], range(2))), dict(enumerate("ab")), list(zip()), list(enumerate([], 5)))
pairs = list(zip(*[[1, 2], [3, 4]]))
answer(pairs, list(map(list, zip(*pairs))), list(enumerate(reversed("ab"))), sorted(enumerate("ba"), key=lambda pair: pair[1]))
ones, twos = zip((1, 2), (1, 2))
answer(ones, twos, min(zip([3, 1], "ab")), max(enumerate([5, 9]), key=lambda p: p[1]), sum(x * y for x, y in zip([1, 2], [3, 4])))
for a, b in zip(range(3), range(1, 3)): answer(a, b)
indexed = {name: i for i, name in enumerate(["x", "y"])}
answer(indexed, list(indexed.items())[0], list(range(10))[2:5], [*range(5)][::-1], list(range(5, 0, -2)), range(3)[1], len(range(7)), 3 in range(5))
grouped = [list("abcdef")[i : i + 2] for i in range(0, 6, 2)]
answer(grouped, list(zip("ab", [1, 2], strict=True)), sum([[1], [2]], []), all([]), any([]), all(x for x in [1, 0]))
