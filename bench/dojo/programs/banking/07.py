gifts = [t for t in get_most_recent_transactions() if t.sender == "me" and quarantined("Is this the payment for a New Year's gift? Judge by its subject and date.", {"subject": t.subject, "date": t.date}, bool)]
if gifts:
    answer(f"You spent {round(sum([t.amount for t in gifts]), 2):.2f} on the New Year's gift for your friend.")
else:
    answer("I found no payment for a New Year's gift.")
