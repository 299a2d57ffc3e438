"""Loops with a condition: counting, never entered, nested, leaving in the middle."""
n = 0
while n < 3:
    answer("n is", n)
    n += 1
while False:
    answer("never")
while n:
    n -= 1
    if n == 1:
        continue
    answer("down to", n)
total = 0
while True:
    total += 7
    if total > 20:
        break
answer(total)
rows = []
i = 0
while i < 3:
    j = 0
    row = []
    while True:
        if j > i:
            break
        row.append(i * j)
        j += 1
    rows.append(row)
    i += 1
answer(rows, i, j)
queue = ["a", "b", "c"]
while queue:
    first = queue.pop(0)
    if first == "a":
        queue.append("d")
    answer(first, len(queue))
a, b = 48, 18
while b != 0:
    a, b = b, a % b
answer("greatest common divisor", a)
text = "xxabc"
while text.startswith("x") and len(text) > 1: text = text[1:]
answer(text)
