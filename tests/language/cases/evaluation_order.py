"""Left to right, right side first, defaults only when needed."""
log = []
xs = [0, 0, 0]
answer([log.append(1), log.append(2)] == [None, None], log)
i = 0
i, xs[i] = 1, "set"
answer(i, xs)
answer(len([log.append("x") for _ in range(3)]), log)
d = {log.append("k"): log.append("v")}
answer(log, d)
answer((log.append("a") or 1) + (log.append("b") or 2), log[-2:])
