"""sorted: kinds, reverse, stability, nested keys by tuples."""
answer(sorted([3, 1, 2]), sorted("hello"), sorted((2, 1)), sorted({"b": 1, "a": 2}), sorted([]), sorted([1, 2], reverse=True))
answer(sorted([1.5, 1, True, 0]), sorted([[2], [1, 2], [1]]), sorted([("b", 1), ("a", 2), ("a", 1)]), sorted(["B", "a", "C"]), sorted([3, 1], reverse=False))
people = [("Ann", 31), ("Bob", 25), ("Cy", 31)]
by_age = sorted([(age, name) for name, age in people], reverse=True)
answer(by_age, [name for _, name in by_age], sorted([1, 1.0, True]), sorted([1, 1.0, True], reverse=True))
