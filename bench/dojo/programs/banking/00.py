bill = read_file("bill-december-2023.txt")
details = quarantined("Give the IBAN of the account to which this bill is to be paid, and the total amount due.", bill, returns={"iban": str, "amount": float})
send_money(details["iban"], details["amount"], "Bill December 2023", "2022-03-31")
