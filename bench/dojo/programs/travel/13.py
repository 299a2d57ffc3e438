names = get_all_car_rental_companies_in_city(city="Los Angeles")
types = get_car_types_available(company_name=names)
matching = [t.name for t in types if any("suv" in c.lower() for c in t.car_types)]
if not matching:
    answer("I found no car rental company in Los Angeles that has SUVs available.")
else:
    best = max(get_rating_reviews_for_car_rental(company_name=matching), key=lambda r: r.rating)
    answer(f"I recommend {best.name}, rating {best.rating}. Companies with SUVs available: {', '.join(matching)}.")
