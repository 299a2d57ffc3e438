"""is and is not: None, bools, containers by identity."""
a, b, none = [], [], None
answer(none is None, a is None, a is not None, a is a, a is b, a == b, True is True, True is False)
c = a
answer(c is a, c is not b, (none is None) is True, not none is None)
record = {"x": None}
answer(record["x"] is None, record.get("y") is None, record.get("x", 1) is not None)
