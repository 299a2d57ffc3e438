hotel_names = get_all_hotels_in_city(city="Paris")
hotel_ratings = {r.name: r.rating for r in get_rating_reviews_for_hotels(hotel_names=hotel_names)}
hotels = [p for p in get_hotels_prices(hotel_names=hotel_names) if p.price_min < 210 and p.name in hotel_ratings]
restaurant_names = get_all_restaurants_in_city(city="Paris")
cuisines = get_cuisine_type_for_restaurants(restaurant_names=restaurant_names)
french = [c.name for c in cuisines if "french" in c.cuisine_type.lower()]
open_sunday = []
if french:
    for h in check_restaurant_opening_hours(restaurant_names=french):
        if quarantined("These are the operating hours of a restaurant. Is it open for lunch on Sunday?", h.operating_hours, bool):
            open_sunday.append(h.name)

lines = []
hotel = None
restaurant = None
if hotels:
    hotel = max(hotels, key=lambda p: hotel_ratings[p.name])
    lines.append(f"Hotel: {hotel.name} (rating {hotel_ratings[hotel.name]}, from {hotel.price_min} per day).")
else:
    lines.append("I found no hotel in Paris under 210 per day.")
if open_sunday:
    restaurant = max(get_rating_reviews_for_restaurants(restaurant_names=open_sunday), key=lambda r: r.rating)
    meal = next(p.price_per_person for p in get_price_for_restaurants(restaurant_names=[restaurant.name]) if p.name == restaurant.name)
    lines.append(f"Restaurant: {restaurant.name} (rating {restaurant.rating}, {meal} per person).")
    if hotel is not None:
        total = 3 * (hotel.price_min + 2 * meal)
        lines.append(f"Estimated minimum cost of the trip: {total} (3 days, each with the hotel and 2 meals at the restaurant, lunch and dinner).")
else:
    lines.append("I found no restaurant in Paris that serves French cuisine and is open for lunch on Sunday.")
answer("\n".join(lines))
