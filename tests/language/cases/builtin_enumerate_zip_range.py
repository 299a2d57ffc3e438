"""enumerate, zip, range walked and listed."""
answer(list(enumerate("ab")), list(enumerate(["x"], 5)), list(enumerate([7], start=-1)), list(enumerate([])), list(enumerate({"k": 1})))
answer(list(zip([1, 2], "ab")), list(zip([1], [2, 3])), list(zip()), list(zip([1])), list(zip([1], [2], [3])), dict(zip(["a"], [1])))
answer(list(range(3)), list(range(1, 4)), list(range(0, 10, 3)), list(range(3, 0, -1)), list(range(0)), list(range(5, 1)), list(range(-2)))
answer(len(range(10)), 5 in range(10), range(3)[1], range(10)[-1], list(range(10)[2:4]), sum(range(4)), list(range(True, 3)))
for i, (a, b) in enumerate(zip("ab", range(2)), 1):
    answer(i, a, b)
