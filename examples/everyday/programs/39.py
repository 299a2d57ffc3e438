cheapest = None
lowest = 0.0
for mail in search_emails(query="clutch"):
    offer = quarantined("Is this an offer of a garage for the clutch of the van, and what is its total price? Give 0 as the price if it is not an offer.", mail.body, returns={"is_offer": bool, "price": float})
    if offer["is_offer"] and (cheapest is None or offer["price"] < lowest):
        cheapest = mail
        lowest = offer["price"]
if cheapest is None:
    answer("I found no offer for the clutch.")
else:
    reply_to_email(email=cheapest, body="I accept your offer.")
