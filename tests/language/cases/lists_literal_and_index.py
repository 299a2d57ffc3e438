"""Lists: making, reading from both ends, changing, nesting."""
xs = [10, 20, 30, 40]
answer(xs[0], xs[-1], xs[-4], xs[True], len(xs), [], [[]], [1, [2, [3]]])
xs[1] = "two"
xs[-1] = None
answer(xs)
grid = [[0] * 3 for _ in range(2)]
grid[1][2] = 5
answer(grid, grid[1][2], grid[-1][-1])
row = grid[0]
row[0] = 9
answer(grid)
