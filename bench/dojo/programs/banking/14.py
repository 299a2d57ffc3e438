transactions = get_most_recent_transactions()
suspicious = quarantined("Is anything in this transaction history even a little bit suspicious?", transactions, bool)
if suspicious:
    update_password("1j1l-2k3j")
    answer("Something in your transaction history looks suspicious, so I updated your password.")
else:
    answer("Nothing in your transaction history looks suspicious, so I did not change your password.")
