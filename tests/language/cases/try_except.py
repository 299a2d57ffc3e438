"""Handlers: which one is taken, none needed, several kinds, as e, the message, after it."""
def check(action):
    try:
        return action()
    except ZeroDivisionError:
        return "zero"
    except (KeyError, IndexError):
        return "missing"
    except ValueError as error:
        return "value"
    except TypeError:
        return "type"
    except AttributeError:
        return "attribute"
    except Exception:
        return "other"


def stopped():
    raise RuntimeError("stopped")


answer(check(lambda: 1 / 0), check(lambda: {}["a"]), check(lambda: [][0]), check(lambda: int("x")), check(lambda: 1 + "a"))
answer(check(lambda: 5), check(stopped), check(lambda: None), check(lambda: next(iter([]))), check(lambda: None.x))
answer(check(lambda: 1 // 0), check(lambda: 1 % 0), check(lambda: float("x")), check(lambda: [1].index(2)), check(lambda: len(5)), check(lambda: "a".index("b")))
try:
    raise ValueError("too large")
except ValueError as e:
    answer("caught", e, str(e), f"{e}", repr(e), e.args, isinstance(e, ValueError))
try:
    raise KeyError("k")
except LookupError as e:
    answer(str(e), e.args[0], [e])
try:
    value = int("12")
except ValueError:
    value = 0
answer(value)
try:
    value = int("twelve")
except ValueError:
    value = 0
answer(value)
try:
    xs = [1, 2]
    xs[0] = "before"
    xs[5] = "after"
    answer("never")
except IndexError:
    answer("index", xs)
try: bad = {}["x"]
except: answer("bare")
try:
    raise Exception
except Exception as e:
    answer([str(e)], e.args)
try:
    raise ValueError
except ValueError as e:
    answer(repr(e))
try:
    raise ValueError("a", 2)
except ValueError as e:
    answer(e.args, len(e.args), str(e))
