"""Functions inside functions, branches and loops; helpers that share what is around them."""
def report(rows, currency="EUR"):
    """A text of all rows."""
    lines = []

    def money(amount):
        return f"{amount:.2f} {currency}"

    def add(name, amount=0.0, *, bold=False):
        text = f"{name}: {money(amount)}"
        lines.append(f"*{text}*" if bold else text)

    def total():
        def amounts():
            return [row["amount"] for row in rows]
        return sum(amounts())

    for row in rows:
        add(row["name"], row["amount"])
    add("total", total(), bold=True)
    return "\n".join(lines)


answer(report([{"name": "tea", "amount": 2.5}, {"name": "milk", "amount": 1}]), report([], "USD"))
def walk(tree, visit, depth=0):
    visit(tree["name"], depth)
    for child in tree.get("children", []):
        walk(child, visit, depth + 1)


seen = []
walk({"name": "a", "children": [{"name": "b"}, {"name": "c", "children": [{"name": "d"}]}]}, lambda name, depth: seen.append("  " * depth + name))
answer("\n".join(seen))
def outer(n):
    def even(k):
        return True if k == 0 else odd(k - 1)
    def odd(k):
        return False if k == 0 else even(k - 1)
    return [k for k in range(n) if even(k)]


answer(outer(6))
def state_machine(text):
    state = "word"
    words, current = [], ""
    def flush():
        nonlocal current
        if current:
            words.append(current)
            current = ""
    for char in text:
        if char == '"':
            flush()
            state = "quoted" if state == "word" else "word"
        elif char == " " and state == "word":
            flush()
        else:
            current += char
    flush()
    return words


answer(state_machine('say "hello world" twice'))
