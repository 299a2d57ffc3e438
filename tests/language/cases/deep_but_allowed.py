"""Data nested 50 levels is shown, compared, copied and searched."""
x = [1]
y = [1]
for _ in range(50):
    x = [x]
    y = [y]
answer(str(x), x == y, x != y, x < [], [x] == [y], x in [y], len(x), x is y)
z = ()
for i in range(40):
    z = (z, i)
d = {z: "deep key"}
answer(d[z])
shared = ["s"]
for _ in range(8):
    shared = [shared, shared]
answer(len(str(shared)), shared == shared)
