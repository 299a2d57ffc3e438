"""What a name means: parameters and locals are the function's, other names are those of around."""
rate = 2
items = []


def scaled(x):
    return x * rate


def shadowed(x):
    rate = 100
    return x * rate


def grows(x):
    items.append(x)
    return len(items)


def later():
    return helper() + 1


def helper():
    return 41


answer(scaled(3), shadowed(3), rate, grows("a"), grows("b"), items, later())
rate = 5
answer(scaled(3))
x = "outside"
def own(x):
    x = x + "!"
    y = x * 2
    return y


answer(own("in"), x)
def loop_names():
    total = 0
    for x in range(3):
        total += x
    squares = [x * x for x in range(4)]
    return total, x, squares


answer(loop_names(), x)
def reads_after(flag):
    if flag:
        value = "set"
    else:
        value = "other"
    return value


answer(reads_after(True), reads_after(False))
def replaced():
    return "first"


before = replaced()
def replaced():
    return "second"


answer(before, replaced())
if rate > 3:
    def conditional():
        return "in a branch"
else:
    def conditional():
        return "in the other"
answer(conditional())
for n in range(3):
    def of_loop(k=n):
        return k * 10
answer(of_loop(), of_loop(7))
