"""Assigning to a part of a list: same size, longer, shorter, empty, from any sequence."""
xs = [0, 1, 2, 3, 4, 5]
xs[1:3] = ["a", "b"]
answer(xs)
xs[1:3] = ["one for two"]
answer(xs)
xs[2:2] = ["x", "y"]
answer(xs)
xs[:0] = (-2, -1)
xs[len(xs) :] = "end"
answer(xs)
xs[3:-3] = []
answer(xs)
alias = xs
xs[:] = [1, 2, 3]
answer(alias, xs is alias)
xs[-1:] = range(5, 8)
xs[100:200] = ["far"]
answer(xs)
xs[1:1] = (c for c in "ab")
answer(xs)
grid = [[0, 0], [0, 0]]
grid[1][0:1] = [7, 8]
answer(grid)
xs[-1:] = []
answer(xs, xs[1:-1])
