"""else and finally: in which order, with results, loops, and failures on the way."""
order = []


def work(x):
    try:
        order.append("try")
        result = 10 // x
    except ZeroDivisionError:
        order.append("except")
        result = None
    else:
        order.append("else")
        result += 1
    finally:
        order.append("finally")
    return result


answer(work(5), work(0), order)
def leaves(way):
    try:
        if way == "return":
            return "returned"
        if way == "raise":
            raise ValueError(way)
    finally:
        order.append(way)
    return "end"


order = []
answer(leaves("return"), leaves("end"))
try:
    leaves("raise")
except ValueError:
    answer("passed on", order)
try:
    try:
        [][1]
    finally:
        answer("inner finally")
except IndexError:
    answer("outer except")
finally:
    answer("outer finally")
for x in [1, 2, 3]:
    try:
        if x == 2:
            break
    finally:
        answer("leaving", x)
try:
    pass
except ValueError:
    answer("never")
else:
    answer("nothing failed")
try:
    try:
        value = 1
    except ValueError:
        answer("never")
    else:
        {}["in else"]
except KeyError:
    answer("else is not guarded by its own handlers")
def value_at_return():
    x = 1
    try:
        return x
    finally:
        x = 2


answer(value_at_return())
