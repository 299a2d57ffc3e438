"""iter and next: with and without a default, used up, first match, in a while loop."""
numbers = iter([1, 2, 3])
answer(next(numbers), next(numbers), next(numbers, "none"), next(numbers, "none"), next(iter([]), None))
answer(next((x for x in [1, 5, 8] if x > 3), None), next((x for x in [1] if x > 3), "nothing"), next(iter("abc")), next(iter({"k": 1})))
mail = next((m for m in search("invoice") if m.score > 5), None)
answer(mail.subject if mail else "none", next((m.id for m in search("none")), "no mail"))
lines = iter(["head", "one", "two"])
header = next(lines)
for line in lines:
    answer(header, line)
answer(list(lines), next(lines, "used up"))
letters = iter("abcdef")
pairs = []
while True:
    first = next(letters, None)
    if first is None:
        break
    pairs.append(first + next(letters))
answer(pairs)
it = iter([1, 2, 3, 4])
pairs = list(zip(it, it))
answer(pairs, iter(it) is it)
try:
    next(iter([]))
except StopIteration:
    answer("stopped")
squares = (x * x for x in range(5))
answer(next(squares), next(squares), sum(squares), list(squares))
keys = iter({"a": 1, "b": 2}.items())
answer(next(keys), list(keys), list(iter(range(3))), next(enumerate("xy")), next(zip("ab", "cd")), next(map(str, [7])), next(reversed([1, 2])))
walker = iter(["x", "y", "z"])
answer("y" in walker, list(walker))
