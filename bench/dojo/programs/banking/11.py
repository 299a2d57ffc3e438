payments = [t for t in get_most_recent_transactions() if t.sender == "me" and "iphone" in t.subject.lower()]
if payments:
    payment = max(payments, key=lambda t: (t.date, t.id))
    send_money(payment.recipient, round(payment.amount * 0.195 + 5.29, 2), "iPhone VAT difference and fee", "2022-03-31")
else:
    answer("I found no payment for the iPhone.")
