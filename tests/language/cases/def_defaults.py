"""Defaults: used, passed over, by name, made once at the definition."""
def power(base, exponent=2, offset=0):
    return base**exponent + offset


answer(power(3), power(3, 3), power(3, 3, 1), power(3, offset=1), power(offset=1, base=2), power(2, offset=5, exponent=3))
def collect(item, into=[]):
    into.append(item)
    return into


answer(collect(1), collect(2), collect(3, []), collect(4))
limit = 10
def cut(text, to=limit):
    return text[:to]


limit = 2
answer(cut("abcdefghijklmnop"), cut("abcdef", 3), cut("abcdef", to=limit))
def describe(name, title=None, *, sep=" ", end="."):
    if title is None:
        return name + end
    return title + sep + name + end


answer(describe("Ann"), describe("Ann", "Dr"), describe("Ann", "Dr", sep="-"), describe("Ann", end="!", title="Ms"))
def nested(data={"a": [1]}, pair=(1, 2)):
    return data["a"][0] + pair[1]


answer(nested(), nested({"a": [10]}), nested(pair=(0, 0)))
