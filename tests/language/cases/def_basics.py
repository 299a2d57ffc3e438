"""Functions: parameters, results, nothing returned, early return, docstrings, calls in calls."""
def greet(name):
    """A greeting."""
    return "Hello, " + name


def nothing():
    pass


def say(text):
    answer("said:", text)


def sign(x):
    if x > 0:
        return "plus"
    elif x < 0:
        return "minus"
    return "zero"


def first_long(words, length):
    for word in words:
        if len(word) >= length:
            return word
    return None


def both(a, b):
    return a, b


def bare(x):
    if x:
        return
    return "not bare"


answer(greet("Ann"), nothing(), say("x"), greet(greet("you")))
answer([sign(x) for x in [5, -5, 0, 0.5]], first_long(["a", "tea", "milk"], 3), first_long([], 1))
low, high = both(1, 2)
answer(low, high, both("x", "y")[1], both(b=1, a=2), bare(1), bare(0))
def double(x): return x * 2
answer(double(4), double("ab"), double([1]), double(double(1)))
