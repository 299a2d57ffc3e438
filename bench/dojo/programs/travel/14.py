names = get_all_car_rental_companies_in_city(city="Los Angeles")
fuels = get_car_fuel_options(company_name=names)
matching = [f.name for f in fuels if any("electric" in o.lower() for o in f.fuel_options)]
if not matching:
    answer("I found no car rental company in Los Angeles that has electric cars.")
else:
    best = max(get_rating_reviews_for_car_rental(company_name=matching), key=lambda r: r.rating)
    price = next(p.price_per_day for p in get_car_price_per_day(company_name=[best.name]) if p.name == best.name)
    answer(f"Companies with electric cars: {', '.join(matching)}. I suggest {best.name}: rating {best.rating}, price for a week {7 * price}.")
