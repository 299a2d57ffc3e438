"""Mail grouped by sender, counted, the most frequent first."""
groups = {}
for mail in search("", limit=50):
    groups.setdefault(mail.sender, []).append(mail)


def summary(sender, mails):
    unread = sum(1 for mail in mails if mail.is_unread)
    subjects = ", ".join(repr(mail.subject) for mail in mails[:3])
    return f"{sender}: {len(mails)} mails, {unread} unread ({subjects})"


ranked = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
answer("\n".join(summary(sender, mails) for sender, mails in ranked))
domains = {}
for sender in groups:
    name, _, domain = sender.partition("@")
    domains[domain] = domains.get(domain, 0) + len(groups[sender])
(top, count), *_ = sorted(domains.items(), key=lambda item: item[1], reverse=True)
answer(top, count, {sender: max(m.score for m in mails) for sender, mails in groups.items()})
