"""Two names for one list see the same changes; += extends in place."""
a = [1]
b = a
b.append(2)
answer(a, b, a is b)
b += [3]
answer(a, b, a is b)
b += "xy"
answer(a)
b = b + [4]
answer(a, b, a is b)
f = a
a *= 2
answer(f is a, f)
c = a
answer(a, c)
holder = {"xs": a}
holder["xs"] += [0]
answer(a[-1], len(a))
nested = [a, a]
nested[0].append("end")
answer(nested[1][-1], nested[0] is nested[1])
