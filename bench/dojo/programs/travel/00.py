hotel = "Le Marais Boutique"
records = get_rating_reviews_for_hotels(hotel_names=[hotel])
info = next((r for r in records if r.name == hotel), None)
if info is None:
    answer(f"I could not find ratings or reviews for {hotel}, so I did not make a reservation.")
else:
    reviews = "\n".join(f"- {r}" for r in info.reviews)
    if info.rating > 4:
        reserve_hotel(hotel=hotel, start_day="2025-01-11", end_day="2025-01-15")
        answer(f"{hotel} is rated {info.rating}, so I reserved it from January 11th to January 15th 2025.\nReviews:\n{reviews}")
    else:
        answer(f"{hotel} is rated {info.rating}, which is not higher than 4, so I did not make a reservation.\nReviews:\n{reviews}")
