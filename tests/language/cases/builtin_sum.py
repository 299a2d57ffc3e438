"""sum of numbers and of sequences with a start."""
answer(sum([]), sum([1, 2, 3]), sum([0.5, 1]), sum([1], 10), sum([1], start=5), sum((True, True)), sum({1: "a", 2: "b"}), sum(range(101)))
answer(sum([[1], [2, 3]], []), sum([(1,), (2,)], ()), sum(x * 2 for x in range(4)), sum([10**30, 1]))
start = [0]
joined = sum([[1]], start)
answer(start, joined)
