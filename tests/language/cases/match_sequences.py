"""match on lists and tuples: lengths, stars, nesting, text is no sequence."""
def shape(x):
    match x:
        case []:
            return "empty"
        case [one]:
            return ["one", one]
        case ["add", int(a), int(b)]:
            return a + b
        case ["say", *words]:
            return " ".join(words)
        case [first, second]:
            return {"first": first, "second": second}
        case [0, *_, 9]:
            return "from 0 to 9"
        case [first, *middle, last] if first == last:
            return ["same ends", middle]
        case (1, (2, inner), *_):
            return ["nested", inner]
        case [_, _, third, *_]:
            return ["third", third]
        case str():
            return "a text"
        case _:
            return "no sequence"


answer(shape([]), shape(()), shape([5]), shape(("x",)), shape(["add", 2, 3]), shape(["say", "a", "b"]), shape([1, 2]))
answer(shape([0, 5, 7, 9]), shape([3, 1, 2, 3]), shape([1, (2, "x"), 4]), shape([4, 5, 6, 7]), shape("ab"), shape(5), shape(None), shape({}))
points = [(0, 0), (0, 3), (4, 0), (1, 2)]
for point in points:
    match point:
        case (0, 0):
            answer("origin")
        case (0, y):
            answer("on y at", y)
        case (x, 0):
            answer("on x at", x)
        case (x, y):
            answer("at", x, y)
match [1, [2, [3, 4]]]:
    case [a, [b, [*c]]]:
        answer(a, b, c)
match (1, 2):
    case [_, _] as pair:
        answer("the whole", pair)
match ["x", 1, 2, 3]:
    case ["x", *numbers, 3]:
        answer(numbers)
match {"k": 1}.items():
    case _:
        answer("anything")
