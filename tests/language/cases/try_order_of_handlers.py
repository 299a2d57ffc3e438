"""The first handler that fits is taken; families of exceptions."""
def family(name):
    try:
        try:
            if name == "zero":
                1 / 0
            if name == "key":
                {}[name]
            if name == "index":
                name[99]
            if name == "value":
                int(name)
            if name == "type":
                name + 1
            if name == "attribute":
                name.nothing
            if name == "stop":
                next(iter(""))
            if name == "runtime":
                raise RuntimeError(name)
            if name == "assert":
                assert False, name
            if name == "own":
                raise Exception(name)
        except LookupError:
            return "lookup"
        except ArithmeticError:
            return "arithmetic"
        except ValueError:
            return "value"
        except StopIteration:
            return "stop"
    except AssertionError as e:
        return "assertion " + str(e)
    except (TypeError, AttributeError):
        return "type or attribute"
    except RuntimeError:
        return "runtime"
    except Exception as e:
        return "exception " + str(e)
    return "fine"


for name in ["zero", "key", "index", "value", "type", "attribute", "stop", "runtime", "assert", "own", "none"]:
    answer(name, family(name))
try:
    {}["x"]
except Exception:
    answer("the general one first")
except KeyError:
    answer("never")
try:
    undefined_later
except NameError:
    answer("no such name yet")
undefined_later = 1
def use_before():
    try:
        return local
    except NameError:
        return "unbound"
    local = 1


answer(use_before())
