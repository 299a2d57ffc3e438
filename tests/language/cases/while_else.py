"""`else` after a loop runs when no break ended it."""
n = 3
while n > 0:
    n -= 1
else:
    answer("while ran out", n)
while True:
    break
else:
    answer("never")
while False:
    pass
else:
    answer("not even begun")
for word in ["tea", "milk", "bread"]:
    if word.startswith("m"):
        answer("found", word)
        break
else:
    answer("never")
for word in ["tea", "bread"]:
    if word.startswith("m"):
        answer("never")
        break
else:
    answer("nothing with m")
for x in []:
    answer("never")
else:
    answer("an empty loop has an else too")
found = None
for x in range(2, 30):
    for y in range(2, x):
        if x % y == 0:
            break
    else:
        found = x
        continue
    answer(x, "is", y, "times", x // y) if x > 26 else None
answer("largest prime", found)
for x in [1, 2]:
    continue
else:
    answer("continue is no break")
