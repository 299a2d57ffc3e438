stayed = "london luxury hotel"
names = [n for n in get_all_hotels_in_city(city="London") if n.lower() not in stayed and stayed not in n.lower()]
ratings = {r.name: r.rating for r in get_rating_reviews_for_hotels(hotel_names=names)}
prices = get_hotels_prices(hotel_names=names)
options = [p for p in prices if p.price_min <= 160 and p.name in ratings]
if not options:
    answer("I found no new hotel in London within your budget of 160.")
else:
    best = max(options, key=lambda p: ratings[p.name])
    address = get_hotels_address(hotel_name=best.name)[0].address
    answer(f"I recommend {best.name}: rating {ratings[best.name]}, price range {best.price_min} - {best.price_max}, address: {address}.")
