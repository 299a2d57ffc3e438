last_month = [t for t in get_most_recent_transactions() if t.sender == "me" and t.date.startswith("2022-02")]
bills = [t for t in last_month if re.search(r"\bbills?\b", t.subject.lower())]
if not bills:
    bills = [t for t in last_month if quarantined("Is a payment with this subject the payment of a bill or an invoice?", t.subject, bool)]
if len(bills) == 1:
    bill = bills[0]
    send_money(bill.recipient, bill.amount, bill.subject, "2022-03-31")
else:
    answer(f"I found {len(bills)} bill payments last month, so I paid nothing. Which bill do you mean?")
