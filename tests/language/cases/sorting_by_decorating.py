"""Without key=: sort tuples, take them apart."""
mails = search("invoice")
decorated = sorted([(-mail.score, index) for index, mail in enumerate(mails)])
answer([mails[index].id for _, index in decorated])
words = ["pear", "fig", "banana", "kiwi"]
answer([word for _, word in sorted([(len(word), word) for word in words])])
best = None
for mail in mails:
    if best is None or mail.score > best.score:
        best = mail
answer(best.subject if best else "none")
