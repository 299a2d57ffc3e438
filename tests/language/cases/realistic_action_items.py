"""The shape of a real program: search, ask, loop, collect, answer."""
class Action(BaseModel):
    task: str
    due: Optional[str]


mails = search("action items", limit=5)
lines = []
for number, mail in enumerate(mails, start=1):
    actions = quarantined("List the action items", mail.subject, returns=list[Action])
    if not actions:
        continue
    lines.append(f"{number}. {mail.sender}:")
    for action in actions:
        due = action.due or "no date"
        lines.append(f"   - {action.task} ({due})")
if lines:
    answer("\n".join(lines))
else:
    answer("Nothing to do.")
totals = {}
for mail in mails:
    totals[mail.sender] = totals.get(mail.sender, 0) + mail.score
report = [f"{sender}: {score}" for sender, score in sorted(totals.items())]
send(to="ann@example.com", body="\n".join(report))
answer(report)
