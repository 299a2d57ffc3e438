"""Raising from a handler: the same one, another, from a cause, out of functions, out of nested handlers."""
def risky(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    return x


def again(x):
    try:
        return risky(x)
    except ValueError:
        raise


def other(x):
    try:
        return risky(x)
    except ValueError as e:
        raise RuntimeError(f"failed: {e}") from e


def hidden(x):
    try:
        return risky(x)
    except ValueError:
        raise KeyError("gone") from None


def named(x):
    try:
        return risky(x)
    except ValueError as e:
        raise e


for function in [again, other, hidden, named]:
    try:
        answer(function(1))
        answer(function(-1))
    except RuntimeError as e:
        answer("runtime", e)
    except KeyError as e:
        answer("key", e)
    except ValueError as e:
        answer("value", e)
try:
    try:
        {}["a"]
    except KeyError:
        [][1]
except IndexError:
    answer("raised in the handler")
try:
    try:
        raise ValueError("inner")
    except KeyError:
        answer("never")
except ValueError as e:
    answer("not handled inside", e)
error = None
try:
    risky(-5)
except ValueError as e:
    error = e
answer(str(error), error is not None)
try:
    raise error
except ValueError as e:
    answer("kept and raised", e)
failure = ValueError("made before")
try:
    raise failure
except Exception as e:
    answer(e, isinstance(e, ValueError), isinstance(e, KeyError), isinstance(e, Exception))
