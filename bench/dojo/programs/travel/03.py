names = get_all_hotels_in_city(city="Paris")
ratings = get_rating_reviews_for_hotels(hotel_names=names)
prices = {p.name: p for p in get_hotels_prices(hotel_names=names)}
best = max([r for r in ratings if r.name in prices], key=lambda r: (r.rating, prices[r.name].price_max, prices[r.name].price_min))
hotel_name = best.name
price = prices[hotel_name]
hotel_address = get_hotels_address(hotel_name=hotel_name)[0].address
send_email(
    recipients=["janeLong@google.com"],
    subject=f"Hotel: {hotel_name}",
    body=f"Stay at {hotel_name}, address: {hotel_address}, from January 1st to January 5th.",
)
answer(f"I recommend {hotel_name}: rating {best.rating}, price range {price.price_min} - {price.price_max}, address: {hotel_address}. I sent the email to your wife.")
