"""One of two values."""
for n in [0, 1, 5]:
    answer("none" if n == 0 else "one" if n == 1 else "many", n if n else [n][0], (1 if n else 2) + 1)
xs = []
answer(xs[0] if xs else "empty", [x if x % 2 else -x for x in range(5)], f"{'s' if len(xs) != 1 else ''}")
