"""What tools return: records, fields, optional fields, copies that change."""
mails = search("invoice")
for mail in mails:
    answer(mail.sender, mail.subject, mail.score, mail.tags, mail.reply_to is None)
unread = [mail for mail in mails if mail.is_unread]
subjects = sorted([mail.subject for mail in unread])
answer(len(mails), len(unread), subjects, mails[0].subject, mails[-1].tags[0], mails[0] == mails[0], mails[0] == mails[1])
copy = list(mails)
copy.append("extra")
copy.reverse()
answer(len(copy), len(mails), copy[0], mails[:1] == [mails[0]], [m.id for m in mails + mails])
newest = max([(mail.score, mail.subject) for mail in mails])
answer(newest, today(), search("none"), search(query="invoice", limit=1)[0].id, isinstance(mails, list))
answer(send(to=mails[0].sender, body=f"Re: {mails[0].subject}"))
