"""A failure inside a comprehension, an argument, a key function or a condition is caught around it."""
def fails(x):
    if x == 2:
        raise ValueError(x)
    return x


caught = []
try:
    [fails(x) for x in [1, 2, 3]]
except ValueError as e:
    caught.append(e.args)
try:
    sorted([3, 2, 1], key=fails)
except ValueError as e:
    caught.append("key")
try:
    if fails(1) and fails(2):
        answer("never")
except ValueError:
    caught.append("condition")
try:
    answer("before", fails(2))
except ValueError:
    caught.append("argument")
try:
    {x: fails(x) for x in range(5)}
except ValueError:
    caught.append("dict")
try:
    text = f"{fails(1)} {fails(2)}"
except ValueError:
    caught.append("text")
try:
    list(map(fails, [1, 2]))
except ValueError:
    caught.append("map")
data = {}
try:
    data["k"] = fails(2)
except ValueError:
    caught.append(len(data))
answer(caught)
