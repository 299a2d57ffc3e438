mail = search_emails(query="freight", sender="Priya")[0]
file = read_file(filename="costs.csv")
freight = quarantined("What does the freight come to? Give only the amount with its currency.", file.content, returns=str)
reply_to_email(email=mail, body="Hi Priya, the freight comes to " + freight + ".")
