"""assert: that holds, that fails, with and without a message."""
assert True
assert 1 < 2, "never shown"
x = [1]
assert x and x[0] == 1, f"wrong: {x}"
answer("all held")
try:
    assert x == [], "not empty"
except AssertionError as e:
    answer("failed:", e)
try:
    assert len(x) > 5
except AssertionError as e:
    answer(f"[{e}]", e.args)
def checked(value):
    assert isinstance(value, int), f"no whole number: {value!r}"
    return value * 2


for value in [4, "x", 1.5]:
    try:
        answer(checked(value))
    except AssertionError as problem:
        answer(str(problem))
try:
    assert None, ["a", 1]
except Exception as e:
    answer(e.args[0])
