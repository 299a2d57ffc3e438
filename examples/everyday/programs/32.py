mail = search_emails(query="contract", sender="Kai")[0]
name = quarantined("Which file name does the sender suggest? Give only the name.", mail.body, returns=str)
write_file(filename=name, text=mail.body)
