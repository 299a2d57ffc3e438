"""Functions in lists and dicts, passed, returned, compared with None, chosen, called from where they stand."""
def up(text):
    return text.upper()


def down(text):
    return text.lower()


def twice(function):
    return lambda x: function(function(x))


handlers = {"up": up, "down": down, "size": len, "text": str}
for name, handler in handlers.items():
    answer(name, handler("aB"))
answer(handlers["up"]("x"), [f("Q") for f in (up, down)], (up if 1 > 2 else down)("Z"))
answer(twice(lambda x: x + 3)(1), twice(up)("q"))
command = "stop"
handler = handlers.get(command)
answer("no handler" if handler is None else handler("x"), handlers.get("nothing", down)("WORD"), up is up, up == down, bool(up))
pipeline = [str.strip if False else up, down, len]
value = " Text "
for step in pipeline:
    value = step(value)
answer(value)
convert = int
answer(convert("42") + 1, [cast("7") for cast in (int, float, str)], list(map(float, ["1", "2.5"])))
table = [("tea", 3, float), ("7", 1, int)]
answer([kind(count) for _, count, kind in table])
biggest, smallest = max, min
answer(biggest([1, 5, 2]), smallest(4, 2), sorted([3, 1]), sum(map(abs, [-1, -2])))
