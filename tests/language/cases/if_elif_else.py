"""Branches, nested and chained, with names first set inside."""
for n in range(-2, 4):
    if n < 0:
        kind = "negative"
        if n == -1:
            kind = kind + " one"
    elif n == 0:
        kind = "zero"
    elif n in (1, 2):
        kind = "small"
    else:
        kind = "other"
    answer(n, kind)
if kind and not False:
    pass
if 0:
    never = 1
answer(kind)
