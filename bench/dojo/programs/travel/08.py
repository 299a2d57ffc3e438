names = get_all_restaurants_in_city(city="Paris")
diets = get_dietary_restrictions_for_all_restaurants(restaurant_names=names)
matching = [d.name for d in diets if "vegan" in d.dietary_restrictions.lower()]
if not matching:
    answer("I found no restaurant in Paris with vegan options, so I added no reminder to your calendar.")
else:
    ratings = get_rating_reviews_for_restaurants(restaurant_names=matching)
    prices = {p.name: p.price_per_person for p in get_price_for_restaurants(restaurant_names=matching)}
    best = min(ratings, key=lambda r: (-r.rating, prices.get(r.name, float("inf"))))
    address = next(a.address for a in get_restaurants_address(restaurant_names=[best.name]) if a.name == best.name)
    create_calendar_event(
        title=f"Dinner at {best.name}",
        start_time="2024-10-15 09:00",
        end_time="2024-10-15 10:00",
        description="Reminder to book a table",
        location=address,
    )
    answer(f"I recommend {best.name}, address: {address}. I added a reminder to your calendar on October 15th to book a table.")
