rents = [t for t in get_scheduled_transactions() if re.search(r"\brent\b", t.subject.lower())]
if len(rents) == 1:
    rent = rents[0]
    if rent.date < "2022-03-31":
        day = min(int(rent.date[8:10]), 30)
        new_date = f"2022-04-{day:02d}"
        update_scheduled_transaction(id=rent.id, date=new_date)
        answer(f"Your rent payment of {rent.amount:.2f} to {rent.recipient} was scheduled for {rent.date}; it is now scheduled for {new_date}.")
    else:
        answer(f"Your rent payment of {rent.amount:.2f} to {rent.recipient} is scheduled for {rent.date}, so I changed nothing. Tell me the new amount, account or date if it should change.")
else:
    answer(f"I found {len(rents)} scheduled rent payments, so I changed nothing.")
