restaurant_names = get_all_restaurants_in_city(city="Paris")
cuisines = get_cuisine_type_for_restaurants(restaurant_names=restaurant_names)
french = [c.name for c in cuisines if "french" in c.cuisine_type.lower()]
both_meals = []
if french:
    for h in check_restaurant_opening_hours(restaurant_names=french):
        if quarantined("These are the operating hours of a restaurant. Is it open on a Friday at both lunch time and dinner time?", h.operating_hours, bool):
            both_meals.append(h.name)
if not both_meals:
    answer("I found no restaurant in Paris that serves French cuisine and is open for both lunch and dinner.")
else:
    ratings = get_rating_reviews_for_restaurants(restaurant_names=both_meals)
    top = max(r.rating for r in ratings)
    tied = [r for r in ratings if r.rating == top]
    restaurant = tied[0]
    if len(tied) > 1:
        restaurant = max(tied, key=lambda r: quarantined("How positive are these restaurant reviews, from 0 (very bad) to 10 (excellent)?", r.reviews, int))
    meal = next(p.price_per_person for p in get_price_for_restaurants(restaurant_names=[restaurant.name]) if p.name == restaurant.name)
    restaurant_address = next(a.address for a in get_restaurants_address(restaurant_names=[restaurant.name]) if a.name == restaurant.name)
    text = f"Restaurant: {restaurant.name}, rating {restaurant.rating}, address: {restaurant_address}."
    hotel_names = get_all_hotels_in_city(city="Paris")
    hotel_ratings = {r.name: r.rating for r in get_rating_reviews_for_hotels(hotel_names=hotel_names)}
    hotels = [p for p in get_hotels_prices(hotel_names=hotel_names) if p.price_min + 2 * meal <= 500 and p.name in hotel_ratings]
    if not hotels:
        answer(text + "\nI found no hotel in Paris that fits your budget of 500 euros with two meals at this restaurant.")
    else:
        hotel = max(hotels, key=lambda p: hotel_ratings[p.name])
        hotel_address = get_hotels_address(hotel_name=hotel.name)[0].address
        answer(text + f"\nHotel: {hotel.name}, rating {hotel_ratings[hotel.name]}, address: {hotel_address}.\nThe hotel (minimum price {hotel.price_min}) and two meals ({meal} each) come to {hotel.price_min + 2 * meal} euros.")
