"""A bool is a number."""
answer(True + True, True * 5, True - False, -True, +True, True / 2, True // 2, True % 2, True**2)
answer(sum([True, False, True]), True + 0.5, "ab" * True, "ab" * False, [1] * True)
answer(True == 1, False == 0, True == 1.0, True is True, isinstance(True, int), isinstance(1, bool))
