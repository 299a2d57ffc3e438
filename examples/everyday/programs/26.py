mail = search_emails(sender="Northwind")[0]
file = read_file(filename="order.txt")
address = quarantined("Extract the email address to which the order should be sent.", mail.body, returns=str)
send_email(recipients=[address], subject="Order", body=file.content)
