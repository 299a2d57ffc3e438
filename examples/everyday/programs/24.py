mail = search_emails(query="boat trip", sender="Priya")[0]
link = quarantined("Extract the link.", mail.body, returns=str)
page = fetch_web_page(url=link)
parking = quarantined("Where can one park?", page, returns=str)
append_to_file(filename="notes.txt", text="Parking for the boat trip: " + parking + "\n")
