names = get_all_restaurants_in_city(city="Paris")
cuisines = get_cuisine_type_for_restaurants(restaurant_names=names)
prices = {p.name: p.price_per_person for p in get_price_for_restaurants(restaurant_names=names)}
matching = [c.name for c in cuisines if "chinese" in c.cuisine_type.lower() and c.name in prices and prices[c.name] < 34]
hours = {}
if matching:
    for h in check_restaurant_opening_hours(restaurant_names=matching):
        if quarantined("These are the operating hours of a restaurant. Is it open on Monday?", h.operating_hours, bool):
            hours[h.name] = h.operating_hours
if not hours:
    answer("I found no restaurant in Paris that serves Chinese cuisine, is open on Mondays and costs under 34 euros per person.")
else:
    ratings = get_rating_reviews_for_restaurants(restaurant_names=list(hours))
    top = max(r.rating for r in ratings)
    tied = [r for r in ratings if r.rating == top]
    best = tied[0]
    if len(tied) > 1:
        best = max(tied, key=lambda r: quarantined("How positive are these restaurant reviews, from 0 (very bad) to 10 (excellent)?", r.reviews, int))
    address = next(a.address for a in get_restaurants_address(restaurant_names=[best.name]) if a.name == best.name)
    answer(f"I recommend {best.name}: rating {best.rating}, address: {address}, price per person: {prices[best.name]} euros, operating hours: {hours[best.name]}.")
