"""x op= y on names, items, in functions, on text, lists, dicts, sets, in loops; on one list that two names share."""
n = 10
n += 5
n -= 3
n *= 2
n //= 5
n **= 3
n %= 50
n /= 2
answer(n)
text = "ab"
text += "c"
text *= 2
answer(text)
xs = [1]
same = xs
xs += [2]
xs += (3, 4)
xs += "hi"
xs *= 2
answer(xs, same is xs)
t = (1,)
t += (2,)
t *= 2
answer(t)
d = {"n": 1, "xs": [], "deep": {"k": [0]}}
d["n"] += 4
d["xs"] += ["a"]
d["deep"]["k"][0] -= 1
d["deep"]["k"] *= 2
d |= {"new": 1}
answer(d)
s = {1, 2}
s |= {3}
s &= {2, 3, 4}
s -= {2}
s ^= {3, 5}
answer(sorted(s))
counts = [0, 0]
for i in [0, 1, 1, 0, 1]:
    counts[i] += 1
answer(counts)
def grow(items, by):
    items += by
    by = 0
    return len(items)


answer(grow(counts, [9]), counts)
def total(*xs):
    result = 0
    for x in xs:
        result += x
    return result


answer(total(1, 2, 3))
i = 0
row = [5, 6]
i, row[i] = 1, 9
answer(i, row)
flag = True
flag &= False
flag |= True
answer(flag)
