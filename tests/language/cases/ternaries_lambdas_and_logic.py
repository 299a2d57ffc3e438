"""and, or and conditions choose functions and values; only what is needed runs."""
calls = []


def yes():
    calls.append("yes")
    return True


def no():
    calls.append("no")
    return False


answer(yes() or no(), no() and yes(), not no(), (yes() and no()) or "last", calls)
pick = (lambda: "a") if yes() else (lambda: "b")
answer(pick(), (no or yes)(), (None or (lambda x: x * 2))(4), [f() for f in (yes, no) if f], all([f() for f in [yes, no, yes]]), calls)
value = None
answer(value and value.upper(), (value or "none").upper(), value if value is not None else [], len(value or []))
