"""Assignment in an expression: in if, while, comprehensions, calls, conditions."""
text = "due: tomorrow"
if (at := text.find(":")) >= 0:
    answer(at, text[:at])
data = [5, 3, 8]
while (n := len(data)) > 0:
    data.pop()
    answer(n)
answer(n, [y for x in range(6) if (y := x * x) > 5], y)
answer((total := 0) + (count := 2), total, count, [half := 4, half // 2], half)
queue = iter(["a", "b", None, "c"])
while (item := next(queue)) is not None:
    answer(item)
if (found := next((m for m in search("x") if m.score > 5), None)) is not None and (subject := found.subject):
    answer(subject)
values = [last := word.strip() for word in [" a", "b "]]
answer(values, last)
def first_number(words):
    if (number := next((word for word in words if word.isdigit()), None)):
        return number
    return None


answer(first_number(["a", "12", "b"]), first_number([]))
answer((lambda x: (z := x + 1) * z)(2), f"{(w := 3)}", w, (p := 1, q := 2), p + q, {"k": (r := 5)}, r)
if not (missing := {}.get("k")):
    answer("missing", missing)
elif missing:
    answer("never")
running = 0
sums = [running := running + x for x in [1, 2, 3]]
answer(sums, running)
