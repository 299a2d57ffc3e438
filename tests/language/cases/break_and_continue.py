"""break and continue act on the innermost loop."""
for i in range(5):
    if i == 1:
        continue
    for j in range(5):
        if j == 1:
            continue
        if j == 3:
            break
        answer(i, j)
    if i == 3:
        break
answer(i, j)
found = None
for word in ["a", "bb", "ccc"]:
    if len(word) < 2:
        continue
    found = word
    break
answer(found)
for i in range(3):
    for j in range(3):
        if j > i:
            break
    else_seen = j
    answer(i, else_seen)
