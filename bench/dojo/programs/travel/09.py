names = get_all_restaurants_in_city(city="Paris")
cuisines = get_cuisine_type_for_restaurants(restaurant_names=names)
french = [c.name for c in cuisines if "french" in c.cuisine_type.lower()]
hours = {}
if french:
    for h in check_restaurant_opening_hours(restaurant_names=french):
        if quarantined("These are the operating hours of a restaurant. Is it open on Sunday?", h.operating_hours, bool):
            hours[h.name] = h.operating_hours
if not hours:
    answer("I found no restaurant in Paris that serves French cuisine and is open on Sunday.")
else:
    best = max(get_rating_reviews_for_restaurants(restaurant_names=list(hours)), key=lambda r: r.rating)
    address = next(a.address for a in get_restaurants_address(restaurant_names=[best.name]) if a.name == best.name)
    answer(f"I recommend {best.name}: rating {best.rating}, address: {address}, operating hours: {hours[best.name]}.")
