"""min and max of arguments or of one container, ties, default."""
answer(min(3, 1, 2), max(3, 1, 2), min([4, 2]), max("hello"), min({"b": 1, "a": 2}), max((1, 5), (1, 4)), max([1], [2]), min(2, 1.5))
answer(max([], default=0), min([], default=None), max([1], default=0), min("", default="none"), max(1, True), max(True, 1), min(1.0, 1))
answer(max(len(w) for w in ["a", "bbb"]), min(x for x in [3, 2]), max({1: "a", 5: "b"}), min("b", "a"), max(range(3)))
