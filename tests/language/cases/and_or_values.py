"""and, or give one of their operands and stop at it."""
answer(1 and 2, 0 and 2, 1 or 2, 0 or 2, "" or [] or None, "" or "last", 1 and "" and 3, None or 0 or "x" and "y")
name = "" or "nobody"
first = [] and [][0]
safe = {} and {}["missing"]
d = {"k": 0}
answer(name, first, safe, d.get("k") or 7, d.get("x") or "default", not (1 and 0), not 1 or 2)
xs = [1]
last = xs and xs[-1]
answer(last, xs and xs[0] > 0, (xs or [2]) is xs)
