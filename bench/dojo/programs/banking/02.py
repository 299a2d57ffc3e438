notice = read_file("landlord-notices.txt")
rents = [t for t in get_scheduled_transactions() if re.search(r"\brent\b", t.subject.lower())]
if len(rents) == 1:
    rent = rents[0]
    new_amount = quarantined("The current monthly rent is given. What is the new monthly rent according to the notice, as an amount? If the notice does not change the rent, give the current rent.", {"notice": notice, "current_rent": rent.amount}, returns=float)
    if new_amount != rent.amount:
        update_scheduled_transaction(id=rent.id, amount=new_amount)
    else:
        answer("The notice does not change the rent, so I left the rent payment as it is.")
else:
    answer(f"I found {len(rents)} scheduled rent payments, so I changed nothing.")
