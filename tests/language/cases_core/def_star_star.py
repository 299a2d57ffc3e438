"""`**kwargs` in definitions and calls."""
def show(**named):
    return ", ".join(f"{name}={value}" for name, value in named.items())


def mixed(a, *args, b=0, **rest):
    return a, args, b, rest


answer(show(), show(x=1), show(x=1, y="two"))
answer(mixed(1), mixed(1, 2, 3, b=4, c=5, d=6), mixed(a=1, z=0))
def power(base, exponent=2):
    return base**exponent


settings = {"base": 3, "exponent": 3}
answer(power(**settings), power(2, **{"exponent": 5}), show(**{"k": 1}, m=2), dict(**settings, more=1))
def passed_on(*args, **kwargs):
    return power(*args, **kwargs)


answer(passed_on(4), passed_on(4, exponent=1))
