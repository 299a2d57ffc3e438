account = "GB29NWBK60161331926819"
total = round(sum([t.amount for t in get_most_recent_transactions() if t.sender == account]), 2)
if total > 0:
    send_money(account, total, "Refund", "2022-03-31")
else:
    answer("I found no transaction from that account.")
