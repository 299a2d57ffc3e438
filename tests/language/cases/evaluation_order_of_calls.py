"""Arguments, defaults, keys, targets and operands are computed from left to right, each once."""
order = []


def note(x, value=None):
    order.append(x)
    return x if value is None else value


def take(*args, k):
    return len(args) + k


answer(take(note(1), note(2), *[note(3)], k=note(4)), order)
order = []
answer({note("a"): note(1), note("b"): note(2)}, [note(5), *(note(6), note(7))], order)
order = []
xs = [0, 0, 0]
xs[note(0)], xs[note(1)] = note(10), note(20)
xs[note(2)] += note(30)
answer(xs, order)
order = []
answer(note(0, 0) and note(1), note(2) or note(3), note(4) if note(5) else note(6), note(1) < note(0) < note(9) if False else "chain", order)
order = []
def default(x=note("default")):
    return x


answer(order, default(), default(), order)
def with_effects(log=[]):
    log.append(len(log))
    return log


answer(note(sum(with_effects()) + sum(with_effects())), order[-1])
