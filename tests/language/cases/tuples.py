"""Tuples: making, text, order, repeating, methods."""
t = (1, "two", 3.0)
one = ("only",)
answer(t, one, (), t[1], t[-1], len(t), t + one, t * 2, 2 * one, tuple("abc"), tuple([1]), tuple())
answer((1, 2) < (1, 3), (1, 2) == (1, 2), (1,) == [1], 1 in (1, 2), t.index("two"), t.count(3), (1, (2, 3)) == (1, (2, 3)))
pair = 1, 2
answer(pair, ((1,), [2], {"k": (3,)}))
