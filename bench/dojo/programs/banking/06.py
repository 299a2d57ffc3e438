payments = [t for t in get_most_recent_transactions() if t.sender == "me" and "spotify" in t.subject.lower()]
if payments:
    amounts = [t.amount for t in sorted(payments, key=lambda t: (t.date, t.id), reverse=True)]
    usual = max(amounts, key=lambda a: amounts.count(a))
    schedule_transaction("US122000000121212121212", usual, "iPhone subscription", "2022-04-01", True)
else:
    answer("I found no Spotify payments in your transaction history.")
