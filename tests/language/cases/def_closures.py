"""Functions that are made by functions and keep what they saw."""
def adder(n):
    def add(x):
        return x + n
    return add


def counter(start=0):
    count = start
    def step(by=1):
        nonlocal count
        count += by
        return count
    return step


def account():
    balance = 0
    history = []
    def deposit(amount):
        nonlocal balance
        balance += amount
        history.append(amount)
        return balance
    def log():
        return list(history), balance
    return deposit, log


add3, add10 = adder(3), adder(10)
answer(add3(1), add10(1), adder(1)(2), [f(5) for f in [add3, add10]])
first, second = counter(), counter(100)
answer(first(), first(), second(), first(5), second(by=10))
deposit, log = account()
deposit(5)
answer(deposit(7), log())
def outer():
    value = "before"
    def read():
        return value
    early = read()
    value = "after"
    return early, read()


answer(outer())
def three():
    level = 1
    def two():
        nonlocal level
        level += 1
        def one():
            nonlocal level
            level += 10
            return level
        return one() + level
    return two(), level


answer(three())
makers = []
for n in range(3):
    makers.append(adder(n))
answer([make(10) for make in makers])
def compose(*functions):
    def composed(x):
        for function in functions:
            x = function(x)
        return x
    return composed


answer(compose(add3, add10, str)(1), compose()(1))
def memo(function):
    known = {}
    def remembered(x):
        if x not in known:
            known[x] = function(x)
        return known[x], len(known)
    return remembered


square = memo(lambda x: x * x)
answer(square(4), square(4), square(5))
