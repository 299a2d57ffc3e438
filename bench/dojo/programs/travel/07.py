names = get_all_restaurants_in_city(city="Paris")
cuisines = get_cuisine_type_for_restaurants(restaurant_names=names)
matching = [c.name for c in cuisines if "israeli" in c.cuisine_type.lower()]
if not matching:
    answer("I found no restaurant in Paris that serves Israeli cuisine, so I added no event to your calendar.")
else:
    best = max(get_rating_reviews_for_restaurants(restaurant_names=matching), key=lambda r: r.rating)
    address = next(a.address for a in get_restaurants_address(restaurant_names=[best.name]) if a.name == best.name)
    create_calendar_event(
        title=f"Dinner at {best.name}",
        start_time="2024-11-14 09:00",
        end_time="2024-11-14 10:00",
        description="Reminder to book a table",
        location=address,
    )
    answer(f"The best rated Israeli restaurant in Paris is {best.name}. I added a reminder to your calendar on November 14th to book a table.")
