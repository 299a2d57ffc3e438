"""Functions in an expression: called at once, defaults, late binding, nested, kept in containers."""
double = lambda x: x * 2
answer(double(4), (lambda: "now")(), (lambda x, y=10: x + y)(1), (lambda *xs: len(xs))(1, 2, 3), (lambda *, k: k)(k=5))
late = [lambda: i for i in range(3)]
early = [lambda i=i: i for i in range(3)]
answer([f() for f in late], [f() for f in early])
n = 1
reads = lambda: n
n = 2
answer(reads())
add = lambda x: lambda y: x + y
answer(add(3)(4), (lambda f, x: f(f(x)))(lambda t: t + "!", "hi"))
choose = lambda flag: "yes" if flag else "no"
answer(choose(1), choose([]), (lambda x: x[::-1])("abc"), (lambda pair: pair[0])((1, 2)))
operations = {"plus": lambda a, b: a + b, "minus": lambda a, b: a - b, "times": lambda a, b: a * b}
answer([operations[name](6, 3) for name in operations], operations.get("none", lambda a, b: None)(1, 2))
def apply(function, *args):
    return function(*args)


answer(apply(lambda a, b: a * b, 3, 4), apply(lambda: None), list(map(lambda p: p[0] + p[1], [(1, 2), (3, 4)])))
