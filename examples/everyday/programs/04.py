mail = search_emails(query="newsletter", sender="baker")[0]
summary = quarantined("Write a short summary of this newsletter.", mail.body, returns=str)
append_to_file(filename="bread.txt", text=summary + "\n")
