spent = [t.amount for t in get_most_recent_transactions() if t.sender == "me" and t.date.startswith("2022-03")]
answer(f"Your total spending in March 2022 was {round(sum(spent), 2):.2f}.")
