"""match on literals, alternatives, None and bools, guards, and nothing that fits."""
def name(x):
    match x:
        case 0:
            return "zero"
        case 1 | 2 | 3:
            return "few"
        case -1:
            return "minus one"
        case 1.5:
            return "one and a half"
        case "yes" | "y":
            return "yes"
        case "":
            return "empty"
        case None:
            return "nothing"
        case True:
            return "never reached: True equals 1"
        case False:
            return "never reached: False equals 0"
        case _:
            return "other"


answer([name(x) for x in [0, 1, 2, 3, 4, -1, 1.5, "yes", "y", "no", "", None, True, False, [], 2.0]])
def truth(x):
    match x:
        case True:
            return "true"
        case False:
            return "false"
        case None:
            return "none"
        case other:
            return f"other {other}"


answer([truth(x) for x in [True, False, None, 1, 0, "True"]])
match "go":
    case "stop":
        answer("never")
match 3:
    case n if n > 5:
        answer("never")
    case n if n > 2:
        answer("guarded", n)
    case n:
        answer("never")
answer(n)
def size(n):
    match n:
        case int() if n < 0: return "negative"
        case 0: return "zero"
        case int() if n < 10: return "small"
    return "large"


answer([size(n) for n in [-5, 0, 7, 70]])
command = "go north"
match command.split():
    case ["go", direction]:
        answer("going", direction)
    case ["stop"]:
        answer("never")
