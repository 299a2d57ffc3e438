"""A digest put together with every way to format text."""
ROW = "{sender:<18}{score:>4} {subject}"
mails = search("x")
header = "%-18s%4s %s" % ("from", "pts", "subject")
body = [ROW.format(sender=m.sender, score=m.score, subject=m.subject[:12]) for m in mails]
line = "-" * max(len(each) for each in [header, *body])
total = sum(m.score for m in mails)
footer = f"{'total':<18}{total:>4} " + "in %d mails (%.1f each)" % (len(mails), total / len(mails))
digest = "\n".join([header, line, *body, line, footer])
answer(digest)
sentence = "{0} wrote {1} time{2}".format
counts = {}
for m in mails:
    counts[m.sender] = counts.get(m.sender, 0) + 1
answer("; ".join("{0} wrote {1} time{2}".format(who.split("@")[0].title(), n, "" if n == 1 else "s") for who, n in counts.items()))
send(to="me@example.com", body="Digest of {date}\n\n{text}".format(date=today(), text=digest))
answer(f"{'done':=^20}")
