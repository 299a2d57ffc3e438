"""What counts as true."""
for x in [0, 1, -1, 0.0, 0.1, "", " ", "0", [], [0], (), (0,), {}, {0: 0}, set(), {0}, None, True, False, 10**50]:
    if x:
        answer("true", bool(x), not x)
    else:
        answer("false", bool(x), not x)
answer(bool(), not not "x", not [] == True, bool([[]]), bool({"": ""}))
