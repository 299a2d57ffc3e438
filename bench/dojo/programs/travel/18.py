names = get_all_restaurants_in_city(city="Paris")
cuisines = get_cuisine_type_for_restaurants(restaurant_names=names)
meal_prices = {p.name: p.price_per_person for p in get_price_for_restaurants(restaurant_names=names)}
matching = [c.name for c in cuisines if "chinese" in c.cuisine_type.lower() and c.name in meal_prices and meal_prices[c.name] < 34]
open_monday = []
if matching:
    for h in check_restaurant_opening_hours(restaurant_names=matching):
        if quarantined("These are the operating hours of a restaurant. Is it open on Monday?", h.operating_hours, bool):
            open_monday.append(h.name)
company_names = get_all_car_rental_companies_in_city(city="Paris")
cheap = {p.name: p.price_per_day for p in get_car_price_per_day(company_name=company_names) if p.price_per_day < 50}

lines = []
if open_monday:
    ratings = get_rating_reviews_for_restaurants(restaurant_names=open_monday)
    top = max(r.rating for r in ratings)
    tied = [r for r in ratings if r.rating == top]
    restaurant = tied[0]
    if len(tied) > 1:
        restaurant = max(tied, key=lambda r: quarantined("How positive are these restaurant reviews, from 0 (very bad) to 10 (excellent)?", r.reviews, int))
    lines.append(f"Restaurant: {restaurant.name} (rating {restaurant.rating}, {meal_prices[restaurant.name]} euros per person).")
else:
    lines.append("I found no Chinese restaurant in Paris that is open on Mondays and costs under 34 euros per person.")
if cheap:
    car_ratings = sorted(get_rating_reviews_for_car_rental(company_name=list(cheap)), key=lambda r: -r.rating)
    options = ", ".join(f"{r.name} (rating {r.rating}, {cheap[r.name]} euros per day)" for r in car_ratings)
    lines.append(f"Car rental companies under 50 euros: {options}. The best rated is {car_ratings[0].name}.")
else:
    lines.append("I found no car rental company in Paris with prices under 50 euros.")
answer("\n".join(lines))
