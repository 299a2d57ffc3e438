"""Rules as functions in a list; each mail runs through them until one takes it; at the end a report."""
from typing import Callable, Dict, List, Optional

log: List[str] = []
moved: Dict[str, List[str]] = {}


def rule(name: str, fits: Callable, folder: str):
    def apply(mail) -> Optional[str]:
        if not fits(mail):
            return None
        log.append(f"{name}: {mail.id}")
        return folder
    return apply


rules = [
    rule("money", lambda m: "money" in m.tags or "invoice" in m.subject.lower(), "Finance"),
    rule("from bob", lambda m: m.sender.startswith("bob@"), "Friends"),
    rule("rest", lambda m: True, "Archive"),
]
for mail in search("x"):
    for apply in rules:
        if (folder := apply(mail)) is not None:
            moved.setdefault(folder, []).append(mail.id)
            break
    else:
        answer("never: the last rule takes all")
answer(moved, log)
answer("\n".join(f"{folder}: {len(ids)}" for folder, ids in sorted(moved.items(), key=lambda kv: (-len(kv[1]), kv[0]))))
unsubscribed = [m.subject for m in search("x") if not any(word in m.subject.lower() for word in ("invoice", "receipt"))]
answer(unsubscribed, [r(search("x")[1]) for r in rules])
