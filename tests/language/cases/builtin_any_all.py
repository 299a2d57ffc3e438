"""any and all."""
answer(any([]), all([]), any([0, 1]), all([0, 1]), any(["", None, []]), all([1, "a", [0]]), any("ab"), all({"": 1}), any((0,)))
answer(any(x > 2 for x in [1, 2, 3]), all(x > 2 for x in [3, 4]), any([[]]), all([[]]), any([[], [0]]))
