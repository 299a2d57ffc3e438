"""Slices of lists and tuples with steps; a slice is a copy."""
xs = list(range(10))
answer(xs[2:5], xs[:3], xs[7:], xs[::2], xs[::-1], xs[-3:], xs[:-3], xs[8:2:-2], xs[5:2], xs[100:], xs[-100:3])
copy = xs[:]
copy[0] = 99
answer(xs[0], copy[0])
t = (1, 2, 3, 4)
answer(t[1:], t[::-1], t[:0], t[-2:], t[1:2])
