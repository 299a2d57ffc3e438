"""Semicolons, comments, docstrings, line joining, blank lines."""
x = 1; y = 2  # two statements
"""a text that stands alone"""
1 + 1
total = x + \
    y
if total: answer(total); answer("same line")
for i in range(2): answer(i)
values = [
    1,  # first

    2,
]
answer(values)
answer("end")
