"""Retrying, skipping what fails, default values, failures that cross several calls."""
def parse(text):
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return None


answer([parse(t) for t in ["1", "2.5", "x", "", "-7"]])
good, bad = [], []
for text in ["3", "x", "5"]:
    try:
        good.append(int(text))
    except ValueError as e:
        bad.append(text)
answer(good, bad)
attempts = 0
while True:
    try:
        attempts += 1
        if attempts < 3:
            raise RuntimeError("not yet")
        break
    except RuntimeError:
        continue
answer(attempts)
def deep(n):
    if n == 0:
        raise ValueError("bottom")
    return deep(n - 1)


def caught_above():
    try:
        return deep(5)
    except ValueError as e:
        return f"from the {e}"


answer(caught_above())
def get(data, *path, default=None):
    for key in path:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return default
    return data


tree = {"a": [{"b": 1}]}
answer(get(tree, "a", 0, "b"), get(tree, "a", 5), get(tree, "a", 0, "b", "c", default="none"), get(tree))
errors = {}
for name, action in {"zero": lambda: 1 / 0, "fine": lambda: 1, "key": lambda: {}[1]}.items():
    try:
        action()
    except (ZeroDivisionError, KeyError) as e:
        errors[name] = isinstance(e, KeyError)
answer(errors)
results = []
for value in [4, 0, "x"]:
    try:
        result = 8 / value
    except ZeroDivisionError:
        result = "infinite"
    except TypeError:
        continue
    else:
        result = round(result)
    results.append(result)
answer(results)
