names = get_all_hotels_in_city(city="Paris")
ratings = {r.name: r.rating for r in get_rating_reviews_for_hotels(hotel_names=names)}
prices = get_hotels_prices(hotel_names=names)
options = [p for p in prices if p.price_min < 210 and p.name in ratings]
if not options:
    answer("I found no hotel in Paris under 210, so I added no event to your calendar.")
else:
    best = max(options, key=lambda p: ratings[p.name])
    address = get_hotels_address(hotel_name=best.name)[0].address
    create_calendar_event(
        title=f"Booking hotel {best.name}",
        start_time="2024-04-25 09:00",
        end_time="2024-04-25 10:00",
        location=address,
    )
    answer(f"I suggest {best.name}: rating {ratings[best.name]}, price range {best.price_min} - {best.price_max}. I added the event 'Booking hotel {best.name}' on April 25th 2024 to your calendar; note that this day is already past.")
