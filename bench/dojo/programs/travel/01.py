hotel = "City Hub"
addresses = get_hotels_address(hotel_name=hotel)
ratings = get_rating_reviews_for_hotels(hotel_names=[hotel])
prices = get_hotels_prices(hotel_names=[hotel])
address = next(a.address for a in addresses if a.name == hotel)
rating = next(r.rating for r in ratings if r.name == hotel)
price = next(p.price_min for p in prices if p.name == hotel)
text = f"{hotel}: address {address}, rating {rating}, minimum price {price}."
if rating > 4 and price < 200:
    create_calendar_event(
        title=hotel,
        start_time="2025-01-02 09:00",
        end_time="2025-01-02 10:00",
        description=f"Reminder to reserve the hotel {hotel}",
        location=address,
    )
    answer(text + " I added a reminder to your calendar on January 2nd 2025.")
else:
    answer(text + " It is not both rated over 4 and priced under 200, so I added no reminder.")
