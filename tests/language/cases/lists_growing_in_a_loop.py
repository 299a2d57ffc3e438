"""A for loop follows its list while it grows or shrinks."""
xs = [1]
for x in xs:
    if x < 6:
        xs.append(x + 1)
answer(xs)
ys = [1, 2, 3, 4]
for y in ys:
    if y == 2:
        ys.pop(0)
    answer(y)
zs = [1, 2, 3]
for z in zs:
    zs = [9]
    answer(z, zs)
