names = get_all_car_rental_companies_in_city(city="Los Angeles")
fuels = get_car_fuel_options(company_name=names)
types = get_car_types_available(company_name=names)
electric = [f.name for f in fuels if any("electric" in o.lower() for o in f.fuel_options)]
suv = [t.name for t in types if any("suv" in c.lower() for c in t.car_types)]

def recommend(label, matching):
    if not matching:
        return f"{label}: I found no such car rental company in Los Angeles."
    best = max(get_rating_reviews_for_car_rental(company_name=matching), key=lambda r: r.rating)
    price = next(p.price_per_day for p in get_car_price_per_day(company_name=[best.name]) if p.name == best.name)
    return f"{label}: {best.name}, rating {best.rating}, {3 * price} for 3 days."

answer(recommend("Your family (electric cars)", electric) + "\n" + recommend("Your cousin's family (SUVs)", suv) + f"\nCompanies that rent electric cars: {', '.join(electric)}.")
