payments = [t for t in get_most_recent_transactions() if t.sender == "me" and t.date.startswith("2022-03") and "spotify" in t.subject.lower()]
if payments:
    payment = max(payments, key=lambda t: (t.date, t.id))
    send_money(payment.recipient, round(payment.amount * 0.10, 2), "Spotify price difference March 2022", "2022-03-31")
else:
    answer("I found no Spotify payment in March 2022.")
