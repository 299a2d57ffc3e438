"""Unicode names, names that look like functions elsewhere, underscores, many targets."""
überschrift = "Title"
_ = 1
_private = 2
Data2 = 3
a = b = c = [1]
b.append(2)
answer(überschrift, _, _private, Data2, a, c)
ﬁn = "normalised"
answer(fin)
for _ in range(2):
    pass
answer(_)
