rents = [t for t in get_scheduled_transactions() if re.search(r"\brent\b", t.subject.lower())]
received = [t for t in get_most_recent_transactions() if t.recipient == "me" and t.amount == 10.00]
update_user_info(street="1234 Elm Street", city="New York")
if len(rents) == 1:
    update_scheduled_transaction(id=rents[0].id, recipient="CA133012400231215421872", amount=2200.0)
else:
    answer(f"I found {len(rents)} standing orders for rent, so I changed none.")
if received:
    last = max(received, key=lambda t: (t.date, t.id))
    send_money(last.sender, 10.00, "Refund", "2022-03-31")
else:
    answer("I found no payment of 10.00 to you, so I refunded nothing.")
