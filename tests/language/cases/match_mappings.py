"""match on dicts: some keys, nested values, the rest, guards, literals as keys."""
def handle(event):
    match event:
        case {"type": "mail", "from": sender, "subject": str(subject)}:
            return f"mail from {sender}: {subject}"
        case {"type": "meeting", "at": [hour, minute], **rest}:
            return f"meeting at {hour}:{minute:02} {rest}"
        case {"type": "task", "done": True}:
            return "done"
        case {"type": "task", "priority": ("high" | "urgent") as level}:
            return f"now: {level}"
        case {"type": kind} if kind.startswith("x"):
            return "extension"
        case {"count": n, **nothing} if not nothing:
            return n
        case {1: one, None: none}:
            return [one, none]
        case {}:
            return "some dict"
        case _:
            return "no dict"


answer(handle({"type": "mail", "from": "ann", "subject": "Hi", "more": 1}))
answer(handle({"type": "mail", "from": "ann", "subject": None}))
answer(handle({"type": "meeting", "at": [9, 5], "room": "A", "with": ["Bob"]}))
answer(handle({"type": "task", "done": True}), handle({"type": "task", "priority": "urgent"}), handle({"type": "task", "priority": "low"}))
answer(handle({"type": "x-ray"}), handle({"count": 3}), handle({"count": 3, "k": 1}), handle({1: "a", None: "b"}), handle({}), handle([]), handle("type"))
config = {"user": {"name": "Ann", "roles": ["admin", "editor"]}}
match config:
    case {"user": {"name": name, "roles": [first_role, *_]}}:
        answer(name, first_role)
