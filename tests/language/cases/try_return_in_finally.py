"""What finally does overrides what was on its way."""
def overridden():
    try:
        return "try"
    finally:
        return "finally"


def swallowed():
    try:
        1 / 0
    finally:
        return "swallowed"


def continued():
    seen = []
    for x in range(4):
        try:
            if x == 1:
                continue
            if x == 3:
                raise ValueError("x")
        finally:
            seen.append(x)
            if x == 3:
                break
    return seen


def nested():
    try:
        try:
            raise ValueError("first")
        finally:
            raise KeyError("second")
    except KeyError:
        return "the second"
    except ValueError:
        return "the first"


answer(overridden(), swallowed(), continued(), nested())
