def best_hotel(city):
    names = get_all_hotels_in_city(city=city)
    ratings = {r.name: r.rating for r in get_rating_reviews_for_hotels(hotel_names=names)}
    prices = get_hotels_prices(hotel_names=names)
    options = [p for p in prices if p.price_min <= 500 and p.name in ratings]
    if not options:
        return None
    return max(options, key=lambda p: (ratings[p.name], -p.price_min))

paris = best_hotel("Paris")
london = best_hotel("London")
if paris is None or london is None:
    parts = []
    for city, hotel in [("Paris", paris), ("London", london)]:
        if hotel is None:
            parts.append(f"I found no hotel in {city} within your budget of 500 per day.")
        else:
            parts.append(f"In {city} I recommend {hotel.name}, minimum price {hotel.price_min} per day.")
    answer("\n".join(parts))
else:
    paris_days = 3 if paris.price_min <= london.price_min else 2
    london_days = 5 - paris_days
    total = paris_days * paris.price_min + london_days * london.price_min
    answer(f"Paris: {paris.name}, minimum price {paris.price_min} per day.\nLondon: {london.name}, minimum price {london.price_min} per day.\nThe minimum expense for the 5-day trip is {total}, with {paris_days} days in Paris and {london_days} days in London.")
