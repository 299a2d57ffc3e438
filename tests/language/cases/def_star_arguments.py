"""`*args`: none, some, after others, before keyword-only ones, handed on by star."""
def total(*numbers):
    return sum(numbers)


def tag(name, *children, sep=","):
    return f"<{name}>{sep.join(children)}</{name}>"


def first_rest(first, *rest):
    return first, rest


answer(total(), total(1), total(1, 2, 3), total(*[1, 2], 3, *(4, 5)), total(*range(4)))
answer(tag("p"), tag("p", "a"), tag("p", "a", "b"), tag("p", "a", "b", sep=" "), tag(*["p", "x", "y"]))
answer(first_rest(1), first_rest(1, 2, 3), first_rest(*"abc"))
def handed_on(*args):
    return total(*args) * len(args)


answer(handed_on(1, 2, 3), max(*[3, 9, 2]), min(*(3, 1)))
def only_named(*, width, height=1):
    return width * height


answer(only_named(width=3), only_named(height=2, width=4))
def positional(a, b, /, c=0):
    return [a, b, c]


answer(positional(1, 2), positional(1, 2, 3), positional(1, 2, c=4))
