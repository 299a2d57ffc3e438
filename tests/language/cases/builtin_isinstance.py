"""isinstance with types and tuples of types."""
for x in [1, True, 1.0, "a", None, [1], (1,), {1: 1}, {1}]:
    answer(isinstance(x, int), isinstance(x, bool), isinstance(x, float), isinstance(x, str), isinstance(x, list))
    answer(isinstance(x, tuple), isinstance(x, dict), isinstance(x, set), isinstance(x, (int, float)), isinstance(x, ((str, list), tuple)))
