friend = "GB29NWBK60161331926819"
received = [t for t in get_most_recent_transactions() if t.sender == friend]
if received:
    last = max(received, key=lambda t: (t.date, t.id))
    difference = round(last.amount - 12.00 / 2, 2)
    if difference > 0:
        send_money(friend, difference, "Difference for dinner", "2022-03-31")
        answer(f"They sent you {last.amount:.2f}; their share was 6.00, so I sent back {difference:.2f}.")
    else:
        answer(f"They sent you {last.amount:.2f}, which is not more than their share of 6.00, so I sent nothing back.")
else:
    answer("I found no transaction from that account.")
