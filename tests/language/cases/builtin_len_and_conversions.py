"""len, str, int, float, bool."""
answer(len(""), len("héé"), len([1]), len((1, 2)), len({1: 2}), len({1, 2}), len(range(7)))
answer(int(), int("42"), int(" -7\n"), int("+1_000"), int(3.99), int(-3.99), int(True), int(10**40), int(1e20))
answer(float(), float("1.5"), float(" -2e3 "), float("inf"), float("-Infinity"), float("nan"), float(7), float(True), float("1_0.5"))
answer([str(), str(5), str("x"), str(1.50), str([1, "a"]), str(None)], bool(), bool("x"), bool(0.0))
