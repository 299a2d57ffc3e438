"""Every operator before =, on names and items."""
n = 10
n += 5
n -= 3
n *= 4
n /= 3
n //= 2
n **= 2
n %= 50
answer(n)
s = "a"
s += "b"
s *= 3
answer(s)
t = (1,)
u = t
t += (2,)
answer(t, u)
xs = [1, 2, 3]
xs[0] += 10
xs[-1] *= 2
d = {"n": 1, "s": "x"}
d["n"] -= 5
d["s"] += "y"
nested = {"a": [1, {"b": 2}]}
nested["a"][1]["b"] += 40
answer(xs, d, nested)
